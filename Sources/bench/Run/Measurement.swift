import CAllocationCount
import Tensor
import VITS

/// Times of repeated runs over a workload.
struct Measurement {
    /// Seconds of each run.
    private(set) var totals: [Double] = []
    /// Of each run: phonemes, encoder, durations, flow, then the decoder's parts.
    private(set) var stages: [[Double]] = []
    private(set) var firstAudio: [Double] = []
    private(set) var audio: [Double] = []
    /// Steps after the first of each sentence.
    private(set) var steps: [Double] = []
    private(set) var stepAudio: [Double] = []
    private(set) var allocations: UInt64 = 0
    private(set) var operations = OperationCount()
    /// When the samples of the first measured run came, and how many seconds of audio there were then.
    private(set) var arrivals: [(time: Double, audio: Double)] = []
    /// The samples of the first measured run.
    private(set) var samples: [Float] = []

    /// Speaks the workload once.
    /// - Parameter isMeasured: false to warm up.
    mutating func run(
        _ model: VITSModel, _ workload: Workload, seed: UInt64, workers: WorkerPool, isMeasured: Bool
    ) throws {
        var parts = [Double](repeating: 0, count: 4)
        var decoder: [Double] = []
        var count = OperationCount()
        var total = 0
        var first: Double?
        let isFirst = totals.isEmpty && isMeasured
        let begin = Stopwatch.now
        var reading = try workload.reading()
        var index = 0
        func next() throws -> [Int]? {
            let start = Stopwatch.now
            defer { parts[0] += Stopwatch.now - start }
            return try reading.next()
        }
        parts[0] = Stopwatch.now - begin
        while let ids = try next() {
            var noise = NoiseGenerator(seed: seed, sentence: index)
            index += 1
            let plan = try model.plan(workload.request(ids), workers: workers) { noise.next() }
            let stream = SentenceStream(model, plan: plan, largestStep: model.largestStep, workers: workers) {
                noise.next()
            }
            var schedule = model.schedule
            var samples: [Float] = []
            samples.reserveCapacity(stream.samples)
            while !stream.isFinished {
                let made = stream.samplesMade
                let (start, allocated) = (Stopwatch.now, syrinx_allocation_count())
                stream.step(schedule.nextStep(), into: &samples)
                let (end, allocatedNow) = (Stopwatch.now, syrinx_allocation_count())
                if first == nil, !samples.isEmpty { first = end - begin }
                if isMeasured, made > 0 {
                    steps.append(end - start)
                    stepAudio.append(Double(stream.samplesMade - made) / Double(workload.sampleRate))
                    allocations += allocatedNow - allocated
                }
                if isFirst {
                    arrivals.append(
                        (end - begin, Double(total + stream.samplesMade) / Double(workload.sampleRate)))
                }
            }
            total += samples.count
            if isFirst { self.samples += samples }
            parts[1] += plan.times.encoder
            parts[2] += plan.times.durations
            parts[3] += stream.times.flow
            count.add(model.operations(ids: ids.count, frames: plan.frames))
            if decoder.isEmpty {
                decoder = stream.times.decoder
            } else {
                for (i, time) in stream.times.decoder.enumerated() { decoder[i] += time }
            }
        }
        guard isMeasured else { return }
        totals.append(Stopwatch.now - begin)
        firstAudio.append(first ?? 0)
        stages.append(parts + decoder)
        audio.append(Double(total) / Double(workload.sampleRate))
        operations = count
    }
}

extension OperationCount {
    fileprivate mutating func add(_ other: OperationCount) {
        encoder += other.encoder
        durations += other.durations
        flow += other.flow
        if decoder.isEmpty {
            decoder = other.decoder
        } else {
            for (i, count) in other.decoder.enumerated() { decoder[i] += count }
        }
    }
}
