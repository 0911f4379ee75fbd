import Synchronization
import Tensor

/// A sentence's flow and decoder as the stations of one pipeline: the couplings, then the decoder's.
///
/// A step runs the pieces that it needs through all stations; where a thread would stand idle meanwhile, it
/// takes up what later steps will need.
///
/// Once it is cancelled no task of any station begins: threads leave after the one that they are at.
final class SentencePipeline: PipelineWork {
    let flow: FlowStream
    let decoder: any DecoderStream
    private let pipeline: Pipeline
    private let cancellation: CancelFlag
    /// Called with the flow's frames, for the golden check.
    var observer: ((_ flowOutput: [Float]) -> Void)?

    /// Passes that the decoder's first station has taken in.
    private let received = Atomic<Int>(0)
    private let passCount: Int
    private let frames: Int
    /// Passes that may be begun, and those that must be done where the flow runs alone.
    private var allowedPasses = 0
    private var neededPasses = 0
    /// Pieces that may be begun, and those that must be done; 0 where the flow runs alone.
    private var allowedPieces = 0
    private var neededPieces = 0
    /// Shares the work inside a task.
    private var inner = WorkerPool.alone

    init(flow: FlowStream, decoder: any DecoderStream, cancellation: CancelFlag) {
        self.flow = flow
        self.decoder = decoder
        self.cancellation = cancellation
        passCount = flow.passCount
        frames = decoder.input.length
        pipeline = Pipeline(stations: flow.stationCount + decoder.stationCount)
    }

    /// Decodes at least the frames before `target`.
    ///
    /// - Returns: the frames decoded so far, if it was not cancelled.
    func advance(to target: Int, sharing: WorkSharing, workers: WorkerPool) -> Int {
        let pieces = decoder.pieces(upTo: target)
        let end = decoder.end(ofPiece: pieces - 1)
        let isPipelined = sharing == .pieces && decoder.takesPieces && workers.threads > 1
        if !decoder.takesPieces {
            advanceFlow(passes: flow.passes(giving: end), workers: workers)
        } else {
            // What comes before the first piece may be more passes than may wait; beside the first one nothing can be.
            let first = flow.passes(giving: decoder.end(ofPiece: 0))
            advanceFlow(passes: max(first - 1, isPipelined ? 1 : 0), workers: workers)
        }
        inner = isPipelined ? .alone : workers
        neededPieces = pieces
        allowedPasses = isPipelined ? passCount : flow.passes(giving: end)
        allowedPieces = isPipelined ? decoder.pieces(upTo: frames) : pieces
        pipeline.run(self, pool: isPipelined ? workers : .alone)
        neededPieces = 0
        allowedPieces = 0
        return end
    }

    /// Runs the flow alone, all threads in each layer, until so many passes have come out.
    private func advanceFlow(passes: Int, workers: WorkerPool) {
        inner = workers
        while received.load(ordering: .relaxed) < passes, !cancellation.isSet {
            neededPasses = received.load(ordering: .relaxed) + 1
            allowedPasses = neededPasses
            pipeline.run(self, pool: .alone)
            if !cancellation.isSet { receive(passes: neededPasses) }
        }
    }

    // MARK: PipelineWork

    func isDone(completed: [Int]) -> Bool {
        if cancellation.isSet { return true }
        return neededPieces > 0
            ? completed[completed.count - 1] >= neededPieces
            : flow.passesDone(completed: completed) >= neededPasses
    }

    func isReady(_ station: Int, completed: [Int]) -> Bool {
        let first = flow.stationCount
        guard station >= first else {
            return flow.isReady(
                station, completed: completed, limit: allowedPasses,
                received: received.load(ordering: .acquiring))
        }
        let piece = completed[station]
        guard piece < allowedPieces else { return false }
        let isFed =
            station == first
            ? flow.passesDone(completed: completed) >= flow.passes(giving: decoder.end(ofPiece: piece))
            : completed[station - 1] > completed[station]
        guard isFed else { return false }
        return station + 1 == completed.count
            || decoder.hasRoom(station - first, piece: piece, nextCompleted: completed[station + 1])
    }

    func run(_ station: Int, task: Int) {
        let first = flow.stationCount
        guard station >= first else {
            flow.run(station, task: task, pool: inner)
            return
        }
        if station == first { receive(passes: flow.passes(giving: decoder.end(ofPiece: task))) }
        decoder.run(station - first, piece: task, pool: inner)
    }

    /// Gives the decoder the flow's passes.
    private func receive(passes: Int) {
        var pass = received.load(ordering: .relaxed)
        while pass < passes {
            let chunk = flow.output(ofPass: pass)
            decoder.input.append(chunk)
            observer?(chunk.values)
            pass += 1
            received.store(pass, ordering: .releasing)
        }
    }
}
