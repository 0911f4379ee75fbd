import Synchronization
import Tensor

/// A decoder's stages as fused kernels, made when they are first asked for.
final class FusedStages: Sendable {
    private let made = Mutex<[Int: [FusedStage?]]>([:])

    /// - Parameter points: products a tile at most.
    /// - Returns: one kernel a stage; nil where the kernel does not know the shape.
    func stages(_ stages: [UpsampleStage], points: Int) -> [FusedStage?] {
        made.withLock { made in
            if let kernels = made[points] { return kernels }
            let kernels = stages.map { FusedStage($0, points: points) }
            made[points] = kernels
            return kernels
        }
    }
}

extension FusedStage {
    fileprivate convenience init?(_ stage: UpsampleStage, points: Int) {
        let isPaired = stage.branches[0].layers[0].second != nil
        guard stage.branches.allSatisfy({ $0.slope == stage.slope }),
            stage.branches.joined(\.layers).allSatisfy({ ($0.second != nil) == isPaired })
        else { return nil }
        self.init(
            upsample: stage.upsample,
            branches: stage.branches.map { $0.layers.flatMap { [$0.first] + [$0.second].compactMap(\.self) } },
            isPaired: isPaired, slope: stage.slope, points: points)
    }
}

extension Sequence {
    fileprivate func joined<T>(_ path: (Element) -> [T]) -> [T] { flatMap(path) }
}
