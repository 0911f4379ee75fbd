extension BufferPolicy {
    /// Seconds that must be queued at this moment for sound to start now, whatever is queued; infinite while only the
    /// end of the request opens the gate. A producer that has more may rest.
    func requiredLead(underruns: Int) -> Double {
        let seconds = gate(lead: 0, underruns: underruns).seconds
        let isAdaptive = fixed == nil && (strategy == .auto || underruns > 0)
        guard isAdaptive, let slowness = estimator.slowness else { return seconds }
        // With an empty queue the gate counts on the rest becoming less while it is being collected: needed over s.
        return seconds * max(1, slowness)
    }
}
