extension Int {
  /// The number of bytes as exact text, in the largest unit that needs no fraction: `100 MB`, `64
  /// MiB`, `1000 B`.
  package var formattedBytes: String {
    let units = [
      ("GiB", 1 << 30), ("GB", 1_000_000_000), ("MiB", 1 << 20), ("MB", 1_000_000),
      ("KiB", 1 << 10), ("kB", 1000),
    ]
    let unit = units.first { self >= $0.1 && isMultiple(of: $0.1) } ?? ("B", 1)
    return "\(self / unit.1) \(unit.0)"
  }
}
