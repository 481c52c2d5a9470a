import Foundation
import StrataVerbs

/// Shows a developer what the running checks do. Every ten seconds, it prints the law and the case
/// of each check. After 30 seconds without progress, it prints the check's program, and how to look
/// at the waiting threads. Each operation of a long program is progress.
///
/// Only the messages depend on the time, and never the result of a check.
final class Watch: Sendable {
  /// A check of a law that is running.
  final class Entry: Sendable {
    fileprivate struct State {
      var number = 0
      var program: @Sendable () -> [String] = { [] }
      var seen: (now: Duration, begun: Int, progress: Int)?
      var begun = 0
      var hasComplained = false
      var printed = Duration.zero
      var isResting = false
    }

    fileprivate let text: String
    fileprivate let all: Int
    fileprivate let state = Lock(State())
    fileprivate let start: Duration
    /// Returns a number that grows as long as a program makes progress.
    fileprivate let progress: @Sendable () -> Int
    /// Whether the entry prints only that there is no progress.
    private let isQuiet: Bool

    fileprivate init(
      _ text: String, _ all: Int, _ start: Duration, _ progress: @escaping @Sendable () -> Int,
      isQuiet: Bool
    ) {
      (self.text, self.all, self.start) = (text, all, start)
      (self.progress, self.isQuiet) = (progress, isQuiet)
    }

    /// Returns the line to print now, and a function that returns the lines of the program.
    fileprivate func message(
      at now: Duration, _ progress: Int, _ state: inout State
    ) -> (line: String, program: @Sendable () -> [String])? {
      let isSame = state.seen?.begun == state.begun && state.seen?.progress == progress
      if !isSame || state.isResting { state.seen = (now, state.begun, progress) }
      let still = now - (state.seen?.now ?? now)
      if still < .seconds(30) { state.hasComplained = false }
      let place = "StrataLaws: \(text), case \(state.number) of \(all)"
      if still >= .seconds(30), !state.hasComplained {
        state.hasComplained = true
        let process = ProcessInfo.processInfo.processIdentifier
        return (
          "\(place): no progress for \(still.components.seconds) s. The level may be deadlocked. "
            + "To see its threads: gdb -p \(process), then `thread apply all bt` "
            + "(on a Mac: lldb -p \(process), then `bt all`). The program:", state.program
        )
      }
      let isDue = now - start >= .seconds(10) && now - state.printed >= .seconds(10)
      guard isDue, !isQuiet, still < .seconds(30) else { return nil }
      state.printed = now
      return ("\(place), after \((now - start).components.seconds) s", { [] })
    }

    /// Notes that a case begins.
    func begin(case number: Int) {
      state.withLock { ($0.number, $0.isResting) = (number, false) }
    }

    /// Notes that no case runs until the next one begins.
    func rest() { state.withLock { $0.isResting = true } }

    /// Notes that a run of a program begins.
    func begin(_ program: @escaping @Sendable () -> [String]) {
      // The earlier program is released after unlocking.
      _ = state.withLock { state in
        state.begun &+= 1
        state.isResting = false
        defer { state.program = program }
        return state.program
      }
    }
  }

  static let shared = Watch(
    now: {
      let now = DispatchTime.now().uptimeNanoseconds
      return .nanoseconds(Int64(clamping: now))
    },
    write: { FileHandle.standardError.write(Data(($0 + "\n").utf8)) }, isAwake: true)

  private let now: @Sendable () -> Duration
  private let write: @Sendable (String) -> Void
  private let isAwake: Bool
  private let entries = Lock<(all: [Entry], isWatched: Bool)>(([], false))

  /// - Parameter isAwake: Whether a thread looks at the checks every second.
  init(
    now: @escaping @Sendable () -> Duration, write: @escaping @Sendable (String) -> Void,
    isAwake: Bool = false
  ) {
    (self.now, self.write, self.isAwake) = (now, write, isAwake)
  }

  /// - Parameters:
  ///   - progress: Returns a number that grows as long as a program makes progress. Without it, only
  ///     the beginning of a program counts as progress.
  ///   - isQuiet: Whether the entry prints only that there is no progress.
  func entry(
    _ text: String, of all: Int, progress: @escaping @Sendable () -> Int = { 0 },
    isQuiet: Bool = false
  ) -> Entry {
    let entry = Entry(text, all, now(), progress, isQuiet: isQuiet)
    let isFirst = entries.withLock { entries in
      entries.all.append(entry)
      defer { entries.isWatched = true }
      return !entries.isWatched
    }
    if isAwake, isFirst { Thread { self.watch() }.start() }
    return entry
  }

  func end(_ entry: Entry) { entries.withLock { $0.all.removeAll { $0 === entry } } }

  private func watch() {
    var idle = 0
    repeat {
      Thread.sleep(forTimeInterval: 1)
      idle = entries.withLock({ $0.all.isEmpty }) ? idle + 1 : 0
      look()
    } while idle < 5 || isNeeded()
  }

  /// Whether any check runs. If none does, the thread ends, and the next check starts another one.
  private func isNeeded() -> Bool {
    entries.withLock { entries in
      entries.isWatched = !entries.all.isEmpty
      return entries.isWatched
    }
  }

  /// Prints a line for each check that has run for a while.
  func look() {
    let now = now()
    for entry in entries.withLock({ $0.all }) {
      let progress = entry.progress()
      let message = entry.state.withLock { entry.message(at: now, progress, &$0) }
      guard let (line, program) = message else { continue }
      write(([line] + program().prefix(60).map { "    " + $0 }).joined(separator: "\n"))
    }
  }
}
