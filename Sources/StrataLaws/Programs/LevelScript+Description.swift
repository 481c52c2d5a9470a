extension LevelScript: CustomStringConvertible {
  /// What it holds and what is wrong with it, on one line.
  public var description: String {
    func text<Value>(_ name: String, _ table: [Int: Value]) -> String? {
      guard !table.isEmpty else { return nil }
      let entries = table.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      return "\(name) [\(entries.joined(separator: ", "))]"
    }
    let isSlow = hasSlowGets || hasSlowWrites
    let parts = [
      text("holds", contents), text("troubled gets", troubledGets),
      text("troubled writes", troubledWrites), troubledClear.map { "clear ends in \($0)" },
      hasSlowGets ? "slow gets" : nil, hasSlowWrites ? "slow writes" : nil,
      isSlow ? latency.map { "\($0) ms" } : nil,
    ]
    let text = parts.compactMap(\.self).joined(separator: ", ")
    return text.isEmpty ? "plain and empty" : text
  }
}
