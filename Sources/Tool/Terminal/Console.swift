import Foundation

/// Where a command writes: functions, so that a test can read what was written.
struct Console: Sendable {
  /// Writes one text and a line break. Throws when nobody reads any more.
  let print: @Sendable (String) throws -> Void
  /// Writes one text and a line break to where errors go.
  let complain: @Sendable (String) -> Void
  /// Whether the reader is a terminal that shows colours.
  let isColoured: Bool

  /// Standard output and standard error, unbuffered: a step is seen when it is done.
  static let standard = Console(
    print: { text in
      do { try FileHandle.standardOutput.write(contentsOf: Data("\(text)\n".utf8)) } catch {
        throw Unread()
      }
    },
    complain: { try? FileHandle.standardError.write(contentsOf: Data("\($0)\n".utf8)) },
    isColoured: showsColours(
      isTerminal: isatty(STDOUT_FILENO) == 1, environment: ProcessInfo.processInfo.environment))

  /// Colours are for terminals that have them and people who have not said no: https://no-color.org
  static func showsColours(isTerminal: Bool, environment: [String: String]) -> Bool {
    isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
  }
}

/// Standard output is closed, or full.
struct Unread: Error, CustomStringConvertible {
  let description = "standard output takes nothing more."
}

/// The few ways in which a cell stands out.
enum Colour: String {
  case green = "32"
  case red = "31"
  case bold = "1"
}

extension String {
  /// This text in a colour, or as it is.
  func coloured(_ colour: Colour?, if isColoured: Bool) -> String {
    guard let colour, isColoured else { return self }
    return "\u{1B}[\(colour.rawValue)m\(self)\u{1B}[0m"
  }
}
