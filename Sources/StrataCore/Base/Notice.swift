import Foundation

/// A message about a configuration that can't work. A process writes it once.
package final class Notice: Sendable {
  private let isWritten = Lock(false)

  package init() {}

  /// Returns whether this is the first call.
  package func take() -> Bool {
    isWritten.withLock { isWritten in
      defer { isWritten = true }
      return !isWritten
    }
  }

  /// Writes a line to standard error on the first call.
  package func write(_ line: @autoclosure () -> String) {
    if take() { FileHandle.standardError.write(Data(utf8: "Strata: \(line())\n")) }
  }
}
