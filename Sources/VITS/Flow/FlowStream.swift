import Tensor

/// The prior sample and the flow of one sentence, run in passes of frames with carried state.
///
/// Each coupling is a station of a pipeline: a pass goes through it layer by layer, while another thread
/// may have the next pass in the coupling before it.
final class FlowStream {
    let passes: PieceSizes
    private let frames: Int
    private let prior: PriorSampler
    private let stations: [Station]
    private let form: ConvolutionForm
    /// Frames that all couplings together look ahead.
    private let reach: Int
    /// Called with the frames that went in, for the golden check.
    var observer: ((_ prior: [Float]) -> Void)?

    /// Passes that may wait between a coupling and the next one: those that a later piece of the decoder reads
    /// at once, and one more. What the first piece reads, the couplings' reach with it, may be more.
    private let room: Int

    // SAFETY: `seconds` and the rest are touched by one thread at a time: the one that runs the station.
    private final class Station {
        let coupling: Coupling
        let state: Coupling.State
        /// `[T, latent]`
        let input: RowWindow
        /// `[T, latent]`: what a pass has made, before it is handed on.
        let output: RowWindow
        let handed: [RowChunk]
        var seconds = 0.0

        init(_ coupling: Coupling, latent: Int, frames: Int, step: Int, room: Int, speaker: [Float]?) {
            self.coupling = coupling
            state = Coupling.State(coupling, frames: frames, step: step, speaker: speaker)
            func window() -> RowWindow {
                let window = RowWindow(channels: latent, capacity: min(step, frames) + 2 * coupling.reach + 1)
                window.reset(length: frames, padding: 0)
                return window
            }
            input = window()
            output = window()
            handed = (0..<room).map { _ in
                RowChunk(channels: latent, capacity: min(step, frames) + coupling.reach)
            }
        }
    }

    /// - Parameter noise: called for `[frames, latent]` unit-normal numbers, in order.
    init(_ model: VITSModel, plan: SentencePlan, passes: PieceSizes, noise: @escaping () -> Float) {
        self.passes = passes
        let room = (FusedDecoderStream.longestPiece + passes.smallest - 1) / passes.smallest + 1
        self.room = room
        frames = plan.frames
        prior = PriorSampler(plan, latent: model.latentChannels, isFlipped: model.startsFlipped, noise: noise)
        form = model.kernelPlan(ids: plan.durations.count).flow
        stations = model.couplings.map {
            Station(
                $0, latent: model.latentChannels, frames: plan.frames, step: passes.largest, room: room,
                speaker: plan.speaker)
        }
        reach = model.flowLookahead
    }

    /// One for each coupling.
    var stationCount: Int { stations.count }
    var passCount: Int { passes.count(taking: frames) }
    /// Frames that a pass gives at most.
    var largestPass: Int { min(frames, passes.largest + reach) }
    /// Processor seconds spent so far.
    var seconds: Double { stations.reduce(0) { $0 + $1.seconds } }

    /// Passes until so many frames have come out.
    func passes(giving frames: Int) -> Int {
        frames == 0 ? 0 : passes.count(taking: min(self.frames, frames + reach))
    }

    /// Tasks that a pass is for a station: its layers.
    private func parts(_ station: Int) -> Int { stations[station].coupling.layers.count }

    /// Passes that have come out.
    func passesDone(completed: [Int]) -> Int { completed[stations.count - 1] / parts(stations.count - 1) }

    /// Whether a station's next task may start.
    ///
    /// - Parameters:
    ///   - limit: passes that may be begun.
    ///   - received: passes that were taken from the last station.
    func isReady(_ station: Int, completed: [Int], limit: Int, received: Int) -> Bool {
        let pass = completed[station] / parts(station)
        guard pass < limit else { return false }
        let isFed = station == 0 || completed[station - 1] >= (pass + 1) * parts(station - 1)
        guard isFed else { return false }
        // A station takes its input in with the first task of a pass.
        let taken =
            station + 1 < stations.count
            ? (completed[station + 1] + parts(station + 1) - 1) / parts(station + 1) : received
        return pass < taken + room
    }

    /// Does a station's task; inside it the threads of `pool` share the work.
    func run(_ index: Int, task: Int, pool: WorkerPool) {
        let start = Stopwatch.now
        let station = stations[index]
        let coupling = station.coupling
        let pass = task / parts(index)
        let layer = task % parts(index)
        if layer == 0 {
            if index == 0 {
                let end = min(frames, passes.frames(after: pass + 1))
                let rows = prior.append(to: station.input, until: end)
                if let observer { observer(prior.unflipped(station.input.copy(rows: rows))) }
            } else {
                station.input.append(stations[index - 1].handed[pass % room])
            }
            coupling.begin(station.input, state: station.state, form: form, pool: pool)
        }
        coupling.advance(layer: layer, state: station.state, form: form, pool: pool)
        if layer == parts(index) - 1 {
            let first = station.output.end
            coupling.finish(station.input, to: station.output, state: station.state)
            let rows = first..<station.output.end
            station.handed[pass % room].copy(station.output, rows: rows)
            station.output.discard(before: rows.upperBound)
        }
        station.seconds += (Stopwatch.now - start) * Double(pool.threads)
    }

    /// What a pass gave, `[frames, latent]`; valid until it is received.
    func output(ofPass pass: Int) -> RowChunk { stations[stations.count - 1].handed[pass % room] }
}
