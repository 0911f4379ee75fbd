import Synchronization
import Tensor

/// A decoder's stages as fused kernels, made when they are first asked for.
final class FusedStages: Sendable {
    private let made = Mutex<[Int: [FusedStage]]>([:])

    /// - Parameter points: products a tile at most; the stages are fusible with so many.
    /// - Returns: one kernel a stage.
    func stages(_ stages: [UpsampleStage], points: Int) -> [FusedStage] {
        made.withLock { made in
            if let kernels = made[points] { return kernels }
            let kernels = stages.compactMap { FusedStage($0, points: points) }
            precondition(kernels.count == stages.count, "stages that are fusible have kernels")
            made[points] = kernels
            return kernels
        }
    }
}

extension Decoder {
    /// Whether all stages, and the last convolution after them, can run as fused kernels.
    func isFusible(points: Int) -> Bool {
        // The kernel of the last convolution takes such slopes only, as the stages' do.
        (0...1).contains(slope) && stages.allSatisfy { $0.isFusible(points: points) }
    }
}

extension UpsampleStage {
    /// The convolutions of each branch, in the order in which they run.
    var convolutions: [[Convolution]] { branches.map { $0.layers.flatMap(\.convolutions) } }

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
