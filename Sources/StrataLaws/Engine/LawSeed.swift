import Foundation

/// The seed and the number of cases for all random tests. You can set both with environment
/// variables.
///
/// Each variable contains a decimal or a hexadecimal (`0x…`) number. An empty variable counts as
/// unset. But an invalid number stops the process with a message. With the default instead, the
/// tests would check cases that you didn't choose.
public enum LawSeed {
  /// The seed from the environment variable `STRATA_SEED`. The default is a constant.
  public static var value: UInt64 { number("STRATA_SEED", in: 0 ... .max) ?? 20_260_601 }

  /// The number of cases per law from the environment variable `STRATA_CASES`, at least one. The
  /// default is 400.
  public static var cases: Int { number("STRATA_CASES", in: 1 ... .max) ?? 400 }

  /// The error for an environment variable that contains an invalid number.
  struct Misread: Error, CustomStringConvertible {
    let name: String
    let text: String
    let bounds: String

    var description: String {
      "\(name) is \(text.debugDescription), but must be a number in \(bounds), decimal or 0x…"
    }
  }

  /// Returns the number in an environment variable, or `nil` if the variable is unset or empty.
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
    } catch { preconditionFailure("\(error)") }
  }
}
