/// Lifetimes as plans write them, and read them back.
extension Duration {
  /// The units from the longest down, in nanoseconds.
  private static let units: [(name: String, size: UInt128)] = [
    ("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("min", 60_000_000_000),
    ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000), ("ns", 1),
  ]

  /// To the nanosecond, and in the unit that one would use: `90 s`, `1.5 s`, `10 min`, `24 h`.
  ///
  /// Minutes, hours and days are whole, and two at least; what is none of these is seconds, or
  /// parts of one.
  @usableFromInline
  var formattedExactly: String {
    let bounded = min(max(self, .seconds(Int64.min)), .seconds(Int64.max))
    let (seconds, attoseconds) = bounded.components  // Which are not there for longer ones.
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
    var digits = String(unit.size + rest).dropFirst()  // As many as the unit has zeros.
    while digits.last == "0" { digits.removeLast() }
    return "\(whole).\(digits) \(unit.name)"
  }

  /// Reads what `formattedExactly` writes, of up to some 30 million years.
  init?(exactly text: some StringProtocol) {
    let parts = text.split(separator: " ")
    guard parts.count == 2, let number = Double(parts[0]),
      let unit = Self.units.first(where: { $0.name == parts[1] })
    else { return nil }
    let seconds = number * (Double(unit.size) / 1e9)
    guard seconds.magnitude < 1e15 else { return nil }
    self = .seconds(seconds)
  }
}
