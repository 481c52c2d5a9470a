import Foundation
import StrataVerbs

/// The formats of numbers on the page. Reports can come from a file, so these functions accept any
/// number.
enum PageFigures {
  /// Returns a count, such as `950`, `12,345`, or `3.4 M`.
  static func count(_ number: Double) -> String {
    guard number.isFinite else { return "–" }
    let units = [("P", 1e15), ("T", 1e12), ("G", 1e9), ("M", 1e6)]
    if let unit = units.first(where: { abs(number) >= $0.1 }) {
      return "\(rounded(number / unit.1)) \(unit.0)"
    }
    if abs(number) < 100 { return rounded(number) }
    let digits = String(Int(number.rounded().magnitude))
    let head = digits.dropLast(3)
    let sign = number < 0 ? "−" : ""
    return sign + (head.isEmpty ? digits : "\(head),\(digits.suffix(3))")
  }

  /// Returns a fraction from zero to one, such as `93.4 %`.
  static func percent(_ fraction: Double?) -> String {
    guard let fraction, fraction.isFinite else { return "–" }
    return "\(rounded(fraction * 100)) %"
  }

  /// Returns a duration in seconds, such as `1.2 ms`.
  static func duration(_ seconds: Double?) -> String {
    guard let seconds, !seconds.isNaN else { return "–" }
    guard seconds <= 1e9 else { return "> 8.6 s" }
    let units = [("s", 1.0), ("ms", 1e-3), ("us", 1e-6)]
    let unit = units.first { seconds >= $0.1 } ?? ("ns", 1e-9)
    return seconds <= 0 ? "0 s" : "\(rounded(seconds / unit.1)) \(unit.0)"
  }

  /// Returns a number of calls per second, such as `12.5/s`.
  static func rate(_ number: Double?) -> String { number.map { "\(count($0))/s" } ?? "–" }

  /// Returns a time in seconds since 1970 as a date in UTC.
  static func time(_ seconds: Double) -> String {
    let seconds = seconds.isFinite ? min(max(seconds, 0), 253_402_300_799) : 0
    let text = Date(timeIntervalSince1970: seconds).formatted(.iso8601)
    return text.replacing("T", with: " ").replacing("Z", with: " UTC")
  }

  /// Returns the fraction as the width or the position of an element, from `0%` to `100%`.
  static func share(_ fraction: Double) -> String {
    "\(min(max(fraction.isFinite ? fraction : 0, 0), 1).thousandths)%"
  }

  /// Rounds to three digits. Numbers above ten have at most one decimal place.
  private static func rounded(_ number: Double) -> String {
    let places = abs(number) < 10 && abs(number) >= 0.005 ? 100.0 : 10
    let text = String((number * places).rounded() / places)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

extension Double {
  /// This fraction as a percentage with one decimal place.
  fileprivate var thousandths: String { (self * 100).placed }
}
