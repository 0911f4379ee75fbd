import CAllocationCount
import Tensor
import VITS

/// Times of repeated runs over a workload.
struct Measurement {
    /// A run's: whole, encoder, durations, flow, then the decoder's parts; seconds.
    private(set) var totals: [Double] = []
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
        var parts = [Double](repeating: 0, count: 3)
        var decoder: [Double] = []
        var count = OperationCount()
        var total = 0
        var first: Double?
        let isFirst = totals.isEmpty && isMeasured
        let begin = Stopwatch.now
        for (index, ids) in workload.sentences.enumerated() {
            var noise = NoiseGenerator(seed: seed, sentence: index)
            let plan = try model.plan(SentenceRequest(ids: ids), workers: workers) { noise.next() }
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
                    arrivals.append((end - begin, Double(total + stream.samplesMade) / Double(workload.sampleRate)))
                }
            }
            total += samples.count
            if isFirst { self.samples += samples }
            parts[0] += plan.times.encoder
            parts[1] += plan.times.durations
            parts[2] += stream.times.flow
            count.add(model.operations(ids: ids.count, frames: plan.frames))
            if decoder.isEmpty { decoder = stream.times.decoder } else {
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
        if decoder.isEmpty { decoder = other.decoder } else {
            for (i, count) in other.decoder.enumerated() { decoder[i] += count }
        }
    }
}
