import Foundation

/// The output of a command. Tests replace the closures to capture the output.
struct Console: Sendable {
  /// Writes text, followed by a line break, to standard output. Throws an error if the write
  /// fails.
  let print: @Sendable (String) throws -> Void
  /// Writes text, followed by a line break, to standard error.
  let complain: @Sendable (String) -> Void
  /// Whether the output uses colors.
  let isColored: Bool

  /// Standard output and standard error. Nothing is buffered, so each printed line appears
  /// immediately.
  static let standard = Console(
    print: { text in
      do { try FileHandle.standardOutput.write(contentsOf: Data("\(text)\n".utf8)) } catch {
        throw Unread()
      }
    },
    complain: { try? FileHandle.standardError.write(contentsOf: Data("\($0)\n".utf8)) },
    isColored: showsColors(
      isTerminal: isatty(STDOUT_FILENO) == 1, environment: ProcessInfo.processInfo.environment))

  /// Whether to use colors: the terminal supports colors, and the user hasn't disabled them
  /// (https://no-color.org).
  static func showsColors(isTerminal: Bool, environment: [String: String]) -> Bool {
    isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
  }
}

/// The error that is thrown if a write to standard output fails.
struct Unread: Error, CustomStringConvertible {
  let description = "standard output is closed or full."
}

/// The style of text.
enum Color: String {
  case green = "32"
  case red = "31"
  case bold = "1"
}

extension String {
  /// Returns the text in a color, or the unchanged text if `color` is `nil` or `isColored` is
  /// `false`.
  func colored(_ color: Color?, if isColored: Bool) -> String {
    guard let color, isColored else { return self }
    return "\u{1B}[\(color.rawValue)m\(self)\u{1B}[0m"
  }
}
