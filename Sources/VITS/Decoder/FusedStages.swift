import Synchronization
import Tensor

/// A decoder's stages as fused kernels, made when they are first asked for.
final class FusedStages: Sendable {
    private let made = Mutex<[Int: [FusedStage]?]>([:])

    /// - Parameter points: products a tile at most.
    /// - Returns: one kernel a stage; nil where the kernel does not know the shape of one.
    func stages(_ stages: [UpsampleStage], points: Int, pool: WorkerPool) -> [FusedStage]? {
        made.withLock { made in
            if let kernels = made[points] { return kernels }
            guard stages.allSatisfy({ $0.isFusible(points: points) }) else {
                made[points] = .some(nil)
                return nil
            }
            // The weights of all layers, on all threads; the stages then find them made.
            let layers = stages.flatMap { $0.convolutions.joined() }
            pool.run(layers.count + stages.count) { index in
                if index < stages.count {
                    stages[index].upsample.prepare(points: points)
                } else {
                    layers[index - stages.count].prepare(.fast(points: points))
                }
            }
            let kernels = stages.compactMap { FusedStage($0, points: points) }
            let all = kernels.count == stages.count ? kernels : nil
            made[points] = .some(all)
            return all
        }
    }
}

extension UpsampleStage {
    /// The convolutions of each branch, in the order in which they run.
    fileprivate var convolutions: [[Convolution]] { branches.map { $0.layers.flatMap(\.convolutions) } }

    fileprivate var isPaired: Bool { branches[0].layers[0].second != nil }

    fileprivate func isFusible(points: Int) -> Bool {
        branches.allSatisfy { branch in
            branch.slope == slope && branch.layers.allSatisfy { ($0.second != nil) == isPaired }
        }
            && FusedStage.knows(
                upsample: upsample, branches: convolutions, isPaired: isPaired, slope: slope, points: points)
    }
}

extension FusedStage {
    fileprivate convenience init?(_ stage: UpsampleStage, points: Int) {
        self.init(
            upsample: stage.upsample, branches: stage.convolutions, isPaired: stage.isPaired,
            slope: stage.slope,
            points: points)
    }
}
