/// Repeated measurements of one thing.
struct Distribution: Codable {
    let median: Double
    let p95: Double
    let p99: Double
    let minimum: Double
    let maximum: Double
    let count: Int

    /// - Parameter values: at least one.
    init(_ values: [Double]) {
        let sorted = values.sorted()
        func quantile(_ q: Double) -> Double {
            guard let last = sorted.indices.last else { return 0 }
            return sorted[min(last, Int((Double(last) * q).rounded(.up)))]
        }
        median = quantile(0.5)
        p95 = quantile(0.95)
        p99 = quantile(0.99)
        minimum = sorted.first ?? 0
        maximum = sorted.last ?? 0
        count = sorted.count
    }
}
