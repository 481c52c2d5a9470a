import Foundation

/// Reads the arguments of a command one by one, `--name VALUE` and `--name=VALUE` alike.
struct ArgumentReader {
  private var rest: ArraySlice<String>
  private let command: String

  init(_ arguments: [String], of command: String) {
    rest =
      arguments.flatMap { argument -> [String] in
        guard argument.hasPrefix("--"), let sign = argument.firstIndex(of: "=") else {
          return [argument]
        }
        return [String(argument[..<sign]), String(argument[argument.index(after: sign)...])]
      }[...]
    self.command = command
  }

  mutating func next() -> String? { rest.popFirst() }

  /// The value of an option.
  mutating func value(after option: String) throws -> String {
    guard let value = rest.popFirst(), !value.isEmpty else {
      throw UsageError.value("", of: option, expected: "a value")
    }
    return value
  }

  /// The values of an option, with commas between them.
  mutating func list(after option: String) throws -> [String] {
    try value(after: option).split(separator: ",", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// The whole number after an option.
  mutating func number(after option: String, in range: ClosedRange<Int>) throws -> Int {
    let text = try value(after: option)
    guard let number = Int(text), range.contains(number) else {
      throw UsageError.value(
        text, of: option,
        expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
