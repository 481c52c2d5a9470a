import StrataNetwork

/// Reads a date from left to right. Each function consumes the text that it recognizes.
struct HTTPDateReader {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = Substring(text).utf8 }

  /// Reads a date like `06 Nov 1994 08:49:37 GMT`.
  mutating func standard() -> Int64? {
    guard let day = digits(2), skip(" "), let month = month(), skip(" "), let year = digits(4),
      skip(" "), let time = time(), skip(" GMT"), rest.isEmpty
    else { return nil }
    return seconds(year, month, day, time)
  }

  /// Reads a date like `06-Nov-94 08:49:37 GMT`.
  mutating func obsolete(now: Int64) -> Int64? {
    guard let day = digits(2), skip("-"), let month = month(), skip("-"), let year = digits(2),
      skip(" "), let time = time(), skip(" GMT"), rest.isEmpty
    else { return nil }
    let century = 1970 + now / 31_556_952  // The mean length of a year, in seconds.
    let near = year + century / 100 * 100
    return seconds(near > century + 50 ? near - 100 : near, month, day, time)
  }

  /// Reads a date like `Nov 6 08:49:37 1994`.
  mutating func asctime() -> Int64? {
    guard let month = month(), skip(" ") else { return nil }
    let isPadded = skip(" ")
    guard let day = digits(isPadded ? 1 : 2), skip(" "), let time = time(), skip(" "),
      let year = digits(4), rest.isEmpty
    else { return nil }
    return seconds(year, month, day, time)
  }

  /// Consumes the given text, ignoring case, if the rest of the date begins with it. Returns
  /// whether the text was consumed.
  mutating func skip(_ text: String) -> Bool {
    var rest = rest
    for byte in text.utf8 {
      guard let next = rest.popFirst(), Self.lower(next) == Self.lower(byte) else { return false }
    }
    self.rest = rest
    return true
  }

  /// Consumes one of the names, ignoring case, if the rest of the date begins with it. Returns
  /// whether a name was consumed.
  mutating func skipName(of names: [String]) -> Bool { index(of: names) != nil }

  private static func lower(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 32 : byte
  }

  private mutating func index(of names: [String]) -> Int? {
    for (index, name) in names.enumerated() where skip(name) { return index }
    return nil
  }

  private mutating func month() -> Int64? {
    index(of: HTTPDate.months).map { Int64($0) + 1 }
  }

  private mutating func time() -> Int64? {
    guard let hour = digits(2), skip(":"), let minute = digits(2), skip(":"),
      let second = digits(2), hour < 24, minute < 60, second <= 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  private mutating func digits(_ count: Int) -> Int64? {
    let digits = rest.prefix(count)
    guard digits.count == count,
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    rest = rest.dropFirst(count)
    return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
  }

  private func seconds(_ year: Int64, _ month: Int64, _ day: Int64, _ time: Int64) -> Int64? {
    let next = month == 12 ? (year + 1, 1) : (year, month + 1)
    let first = HTTPDate.days(year, month, 1)
    guard day >= 1, day <= HTTPDate.days(next.0, next.1, 1) - first else { return nil }
    return (first + day - 1) * 86_400 + time
  }
}
