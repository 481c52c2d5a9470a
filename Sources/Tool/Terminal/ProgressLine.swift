import Foundation

/// A line on a terminal that shows how much of a long task is done, and how much time is left.
///
/// This line appears after two seconds, changes a few times a second, and is removed at the end.
/// There is no line if standard error isn't a terminal.
struct ProgressLine {
  /// Tasks that end earlier show no line.
  static let patience = Duration.seconds(2)
  static let interval = Duration.milliseconds(200)

  private let now: () -> Duration
  private let write: ((String) -> Void)?
  private var shown: Duration?

  /// - Parameters:
  ///   - now: Returns the time since the start of the work.
  ///   - write: Writes text without a line break to the terminal, or `nil` if there is none.
  init(now: @escaping () -> Duration, write: ((String) -> Void)?) {
    (self.now, self.write) = (now, write)
  }

  /// Creates the progress of work that begins now, on standard error.
  static var standard: ProgressLine {
    let start = ContinuousClock.now
    let isTerminal = isatty(STDERR_FILENO) == 1
    return ProgressLine(
      now: { start.duration(to: .now) }, write: isTerminal ? { Self.write($0) } : nil)
  }

  private static func write(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  /// Shows the part of the work that is done, from zero to one.
  mutating func show(_ part: Double) {
    guard let write else { return }
    let time = now()
    guard time >= Self.patience, part > 0, shown.map({ time - $0 >= Self.interval }) ?? true else {
      return
    }
    shown = time
    let left = time / .seconds(1) * (1 - part) / part
    let percent = Int((min(part, 1) * 100).rounded(.down))
    write("\r\u{1B}[K\(percent) %, \(Self.text(left)) left")
  }

  /// Removes the line.
  mutating func end() {
    if shown.take() != nil { write?("\r\u{1B}[K") }
  }

  private static func text(_ seconds: Double) -> String {
    let seconds = max(0, min(seconds, 359_999)).rounded(.up)
    return seconds < 120 ? "\(Int(seconds)) s" : "\(Int(seconds / 60)) min"
  }
}
