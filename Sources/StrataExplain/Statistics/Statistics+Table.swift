import StrataVerbs

extension CacheStatistics.Snapshot {
  /// A table with a header and one line for each stage.
  ///
  ///     print(statistics.snapshot.table)
  ///
  /// The columns `p50` and `p99` are quantiles of the durations of gets, rounded up to a power of
  /// two in nanoseconds.
  ///
  /// - Complexity: O(n) in the number of stages.
  public var table: String {
    let columns = [
      "stage", "hits", "stale", "misses", "ratio", "loads", "back-fills", "writes", "failures",
      "evictions",
      "read", "written", "p50", "p99",
    ]
    let rows = [columns] + stages.map(\.cells)
    let widths = columns.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = zip(row, widths).enumerated().map { column, cell in
        let space = String(repeating: " ", count: cell.1 - cell.0.count)
        return column == 0 ? cell.0 + space : space + cell.0
      }
      return cells.joined(separator: "  ")
    }.joined(separator: "\n")
  }
}

extension CacheStatistics.Stage {
  fileprivate var cells: [String] {
    let causes = evictions.sorted { $0.key.rawValue < $1.key.rawValue }
    func time(_ part: Double) -> String { latency.quantile(part)?.formattedShort ?? "-" }
    return [
      name, "\(hits)", "\(staleHits)", "\(misses)",
      hitRatio.map { "\(Int(($0 * 100).rounded())) %" } ?? "-",
      "\(loads)", "\(backFills)", "\(writes)", "\(failures)",
      causes.isEmpty
        ? "0" : causes.map { "\($0.value) \($0.key.rawValue)" }.joined(separator: ", "),
      rounded(bytes: bytesRead), rounded(bytes: bytesWritten), time(0.5), time(0.99),
    ]
  }

  /// Returns a number of bytes as text with at most one decimal place, such as `12.3 kB`.
  private func rounded(bytes: Int) -> String {
    let units = [("GB", 1e9), ("MB", 1e6), ("kB", 1e3)]
    guard let unit = units.first(where: { Double(bytes) >= $0.1 }) else { return "\(bytes) B" }
    let tenths = (Double(bytes) / unit.1 * 10).rounded() / 10
    return "\(tenths) \(unit.0)"
  }
}
