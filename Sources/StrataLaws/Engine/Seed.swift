import Foundation

/// What all random tests start from.
///
/// A number is read as Swift writes it, decimal or `0x…`; a variable that is empty says nothing.
/// One that holds no number of its kind stops the process with a message: a law tried on other
/// cases than those asked for would look as if it had been tried on them.
public enum Seed {
  /// The seed: fixed, unless `STRATA_SEED` in the environment says otherwise.
  public static var value: UInt64 { number("STRATA_SEED", in: 0 ... .max) ?? 20_260_601 }

  /// How many cases a law is tried on: 400, unless `STRATA_CASES` in the environment says
  /// otherwise, which takes one at least.
  public static var cases: Int { number("STRATA_CASES", in: 1 ... .max) ?? 400 }

  /// What a variable is for, and what it takes.
  struct Misread: Error, CustomStringConvertible {
    let name: String
    let text: String
    let bounds: String

    var description: String {
      "\(name) is \(text.debugDescription): it takes a number of \(bounds), decimal or 0x…"
    }
  }

  /// Reads a number within bounds; `nil` of nothing.
  static func number<Number: FixedWidthInteger>(
    _ name: String, in bounds: ClosedRange<Number>, of environment: [String: String]
  ) throws -> Number? {
    guard let text = environment[name], !text.isEmpty else { return nil }
    let isHexadecimal = text.lowercased().hasPrefix("0x")
    let number =
      isHexadecimal
      ? text.dropFirst(2).first.flatMap {
        $0.isHexDigit ? Number(text.dropFirst(2), radix: 16) : nil
      }
      : Number(text)
    guard let number, bounds.contains(number) else {
      throw Misread(name: name, text: text, bounds: "\(bounds)")
    }
    return number
  }

  private static func number<Number: FixedWidthInteger>(
    _ name: String, in bounds: ClosedRange<Number>
  ) -> Number? {
    do {
      return try number(name, in: bounds, of: ProcessInfo.processInfo.environment)
    } catch { fatalError("\(error)") }
  }
}
