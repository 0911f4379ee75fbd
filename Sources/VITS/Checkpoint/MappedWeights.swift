import ONNX
import Tensor

/// Weights that are read from the mapped voice file when a layer packs them.
struct MappedWeights: WeightSource {
    private let tensor: ONNXTensor

    /// - Returns: nil where the tensor does not lie in the file as float32.
    init?(_ tensor: ONNXTensor) {
        guard tensor.isRawFloat32 else { return nil }
        self.tensor = tensor
    }

    func withValues(_ body: (WeightValues) -> Void) {
        tensor.withUnsafeBytes { bytes in
            // SAFETY: float32 of this count, as the reader checked, mapped for as long as the tensor lives.
            if let base = bytes.baseAddress { body(WeightValues(base: base, count: tensor.count)) }
        }
    }

    func copy(_ range: Range<Int>, to target: UnsafeMutablePointer<Float>) {
        let size = MemoryLayout<Float>.stride
        tensor.copyBytes(range.lowerBound * size..<range.upperBound * size, to: target)
    }

    func release() { tensor.discardPages() }
}

extension Checkpoint {
    /// A tensor's values, checked for shape now and read when they are needed.
    func weights(of tensor: ONNXTensor, shape: [Int]) throws -> any WeightSource {
        try check(tensor, shape: shape)
        if let mapped = MappedWeights(tensor) { return mapped }
        return ArrayWeights(try tensor.floats())
    }
}
