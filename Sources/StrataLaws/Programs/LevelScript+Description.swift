extension LevelScript: CustomStringConvertible {
  /// The contents, faults, and delays of the level, on one line.
  package var description: String {
    func text<Value>(_ name: String, _ table: [Int: Value]) -> String? {
      guard !table.isEmpty else { return nil }
      let entries = table.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      return "\(name) [\(entries.joined(separator: ", "))]"
    }
    let isSlow = hasSlowGets || hasSlowWrites
    let parts = [
      text("holds", contents), text("faulty gets", getFaults),
      text("faulty writes", writeFaults), clearFault.map { "clear ends in \($0)" },
      hasSlowGets ? "slow gets" : nil, hasSlowWrites ? "slow writes" : nil,
      takesWritesLate ? "late effects" : nil,
      failingAge.map { "writes fail after \($0) ms" }, slowKeys.map { "slow in \($0.sorted())" },
      isSlow ? latency.map { "\($0) ms" } : nil,
    ]
    let text = parts.compactMap(\.self).joined(separator: ", ")
    return text.isEmpty ? "plain and empty" : text
  }
}
