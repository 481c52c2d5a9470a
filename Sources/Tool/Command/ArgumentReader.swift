import Foundation

/// A reader of command arguments that accepts `--name VALUE` and `--name=VALUE`.
struct ArgumentReader {
  private var rest: ArraySlice<String>
  private var given: (option: String, value: String)?

  init(_ arguments: [String]) { rest = arguments[...] }

  /// Returns the next argument without its `=VALUE`, or `nil` after the last argument.
  ///
  /// - Throws: A ``UsageError`` if the previous argument had the form `--name=VALUE`, and the
  ///   command didn't read the value.
  mutating func next() throws -> String? {
    if let given { throw UsageError.flag(given.option) }
    guard let argument = rest.popFirst() else { return nil }
    guard argument.hasPrefix("--"), let sign = argument.firstIndex(of: "=") else { return argument }
    let option = String(argument[..<sign])
    given = (option, String(argument[argument.index(after: sign)...]))
    return option
  }

  /// Returns the value of an option. Arguments that begin with `--` aren't values.
  mutating func value(after option: String) throws -> String {
    let value = given?.value ?? rest.first.flatMap { $0.hasPrefix("--") ? nil : $0 } ?? ""
    guard !value.isEmpty else { throw UsageError.value("", of: option, expected: "a value") }
    if given.take() == nil { rest = rest.dropFirst() }
    return value
  }

  /// Returns the output file that the given option names.
  mutating func file(after option: String) throws -> OutputFile {
    let path = try value(after: option)
    if path == "-" {
      throw UsageError.value(path, of: option, expected: "a file, such as /dev/stdout")
    }
    return OutputFile(path)
  }

  /// Returns the path of the directory that the given option names. This path must be UTF-8 text,
  /// as all paths in the library are.
  mutating func folder(after option: String) throws -> String {
    let path = try value(after: option)
    guard path.isUTF8 else {
      throw UsageError.value(path.printable, of: option, expected: "a directory with a UTF-8 name")
    }
    return path
  }

  /// Returns the comma-separated values of an option.
  mutating func list(after option: String) throws -> [String] {
    try value(after: option).split(separator: ",", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// Returns the integer value of an option.
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
