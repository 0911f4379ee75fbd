/// Layers made of others; what they compute is the same within rounding.
extension Convolution {
    /// The output channels `range` alone.
    package func outputs(_ range: Range<Int>) -> Convolution {
        precondition(layout.isPlain && layout.resultScale == 1)
        precondition(range.lowerBound >= 0 && range.upperBound <= outputChannels)
        let row = inputChannels * kernel
        return Convolution(
            weight: WeightSlice(weights.source, range.lowerBound * row..<range.upperBound * row),
            bias: bias.map { Array($0.array[range]) } ?? [], inputChannels: inputChannels,
            outputChannels: range.count, kernel: kernel, dilation: dilation, padding: padding, layout: layout)
    }

    /// This layer and then `next`, both of kernel 1, as one.
    ///
    /// - Parameters:
    ///   - addsBias: whether the bias of `next` is in the result.
    ///   - layout: the result's.
    package func followed(by next: Convolution, addsBias: Bool, layout result: Layout) -> Convolution {
        precondition(kernel == 1 && next.kernel == 1 && next.inputChannels == outputChannels)
        precondition(layout.isPlain && layout.weightScale == 1 && layout.resultScale == 1)
        precondition(next.layout.isPlain && next.layout.weightScale == 1 && next.layout.resultScale == 1)
        var sums = [Float](repeating: 0, count: next.outputChannels)
        next.weights.source.withValues { values in
            for o in sums.indices {
                var sum = addsBias ? Double(next.bias?.base[o] ?? 0) : 0
                if let bias {
                    let row = o * outputChannels
                    for i in 0..<outputChannels { sum += Double(values[row + i]) * Double(bias.base[i]) }
                }
                sums[o] = Float(sum)
            }
        }
        return Convolution(
            weight: WeightProduct(
                next.weights.source, by: weights.source, rows: next.outputChannels, depth: outputChannels,
                columns: inputChannels),
            bias: sums, inputChannels: inputChannels, outputChannels: next.outputChannels, kernel: 1,
            layout: result)
    }
}
