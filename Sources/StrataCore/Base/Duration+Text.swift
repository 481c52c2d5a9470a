/// The text of durations in plans.
extension Duration {
  /// The units and their sizes in nanoseconds, with the longest unit first.
  private static let units: [(name: String, size: UInt128)] = [
    ("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("min", 60_000_000_000),
    ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000), ("ns", 1),
  ]

  /// The duration as text, exact to the nanosecond, in a common unit, such as `90 s`, `1.5 s`,
  /// `10 min`, or `24 h`.
  ///
  /// The unit is minutes, hours, or days only if the number is then whole and at least 2.
  /// Otherwise, it's seconds, milliseconds, microseconds, or nanoseconds. Durations are clamped to
  /// ±`Int64.max` seconds.
  package var formattedExactly: String {
    let bounded = min(max(self, .seconds(Int64.min)), .seconds(Int64.max))
    let (seconds, attoseconds) = bounded.components  // `components` traps for longer durations.
    let rounded = (attoseconds + attoseconds.signum() * 500_000_000) / 1_000_000_000
    let nanoseconds = Int128(seconds) * 1_000_000_000 + Int128(rounded)
    let amount = nanoseconds.magnitude
    let unit = Self.units.first { name, size in
      switch name {
      case "d", "h", "min": amount >= 2 * size && amount.isMultiple(of: size)
      default: amount >= size || amount == 0
      }
    }
    return (nanoseconds < 0 ? "-" : "") + Self.text(of: amount, in: unit ?? ("ns", 1))
  }

  private static func text(of amount: UInt128, in unit: (name: String, size: UInt128)) -> String {
    let (whole, rest) = amount.quotientAndRemainder(dividingBy: unit.size)
    guard rest > 0 else { return "\(whole) \(unit.name)" }
    var digits = String(unit.size + rest).dropFirst()  // Padded with zeros.
    while digits.last == "0" { digits.removeLast() }
    return "\(whole).\(digits) \(unit.name)"
  }
}
