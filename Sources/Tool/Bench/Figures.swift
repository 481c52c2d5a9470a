import Foundation

extension Double {
  /// The number as text with few digits, such as `0.17`, `2.5`, `66`, or `1840`.
  var brief: String {
    guard isFinite else { return "-" }
    let digits = magnitude >= 99.95 ? 0 : magnitude >= 9.995 ? 1 : 2
    let text = String(format: "%.\(digits)f", self)
    guard text.contains(".") else { return text }
    let end = text.lastIndex { $0 != "0" } ?? text.startIndex
    return String(text[...end].hasSuffix(".") ? text[..<end] : text[...end])
  }

  /// The divisor that converts this number of nanoseconds to a readable unit.
  var scale: Double { magnitude < 9_999.5 ? 1 : magnitude < 9_999_500 ? 1e3 : 1e6 }

  /// This number of nanoseconds as text in a readable unit, such as `66 ns`, `17.2 us`, or `3.1
  /// ms`.
  var inTime: String {
    switch magnitude {
    case ..<9_999.5: "\(brief) ns"
    case ..<9_999_500: "\((self / 1e3).brief) us"
    default: "\((self / 1e6).brief) ms"
    }
  }

  /// This number of bytes as text, such as `0`, `64`, or `100k`.
  var inBytes: String {
    magnitude < 9_999.5
      ? brief : magnitude < 9_999_500 ? "\((self / 1e3).brief)k" : "\((self / 1e6).brief)M"
  }
}

extension Row.Unit {
  /// Returns a measurement as text with its unit.
  func shown(_ figure: Double) -> String {
    switch self {
    case .time: figure.inTime
    case .bytes: "\(figure.brief) B"
    case .points: "\(figure.brief) pts"
    case .sleeps: "\(figure.brief) sleeps"
    case .times: "\(figure.brief)x"
    }
  }
}
