import Foundation

/// Reads the arguments of a command one by one, `--name VALUE` and `--name=VALUE` alike.
struct ArgumentReader {
  private var rest: ArraySlice<String>
  private var given: (option: String, value: String)?

  init(_ arguments: [String]) { rest = arguments[...] }

  /// The next argument, without the value that is given with it; `nil` after the last.
  ///
  /// - Throws: ``UsageError`` if nobody has asked for the value of the one before.
  mutating func next() throws -> String? {
    if let given { throw UsageError.flag(given.option) }
    guard let argument = rest.popFirst() else { return nil }
    guard argument.hasPrefix("--"), let sign = argument.firstIndex(of: "=") else { return argument }
    let option = String(argument[..<sign])
    given = (option, String(argument[argument.index(after: sign)...]))
    return option
  }

  /// The value of an option; what begins with `--` is the next one.
  mutating func value(after option: String) throws -> String {
    let value = given?.value ?? rest.first.flatMap { $0.hasPrefix("--") ? nil : $0 } ?? ""
    guard !value.isEmpty else { throw UsageError.value("", of: option, expected: "a value") }
    if given.take() == nil { rest = rest.dropFirst() }
    return value
  }

  /// The file after an option, which is written in the end.
  mutating func file(after option: String) throws -> OutputFile {
    let path = try value(after: option)
    if path == "-" {
      throw UsageError.value(path, of: option, expected: "a file, such as /dev/stdout")
    }
    return OutputFile(path)
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
