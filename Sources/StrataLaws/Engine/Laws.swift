import Foundation
import StrataVerbs

/// The laws of one structure, such as a level, a verb, or a codec.
///
/// In a throwing test function, one line checks all laws of a structure:
///
///     try await Laws.check(.monoid)
///     try await Laws.check(.level { MyLevel().cache })
///
/// The environment variable `STRATA_SEED` determines all random cases. The description of a
/// violation contains its seed. `STRATA_CASES` sets the number of cases per law, which is 400 by
/// default.
public struct Laws: Sendable {
  /// The name of the structure, such as `pool`.
  public let name: String
  /// The laws, in the order in which they're checked.
  public let laws: [Law]

  /// Creates a group of laws for the structure with the given name.
  public init(_ name: String, _ laws: [Law]) {
    self.name = name
    self.laws = laws
  }

  /// Checks every law and throws the first violation. Blocks the calling thread.
  ///
  /// In an `async` function, `try await Laws.check` calls the asynchronous variant instead.
  ///
  /// - Parameters:
  ///   - laws: The laws to check.
  ///   - duration: The time after which the check begins no further case, or `nil`, the default. At
  ///     least one case of each law runs. Otherwise, all laws share the time equally. It also ends
  ///     the search for a smaller violation.
  ///   - atOnce: The number of cases that may run at the same time, one by default. Pass a larger
  ///     number for a level that waits, such as for a server, if the levels of different cases
  ///     share nothing. Laws whose clients run on threads ignore it.
  ///   - seed: The seed of the first case of each law. The default is ``LawSeed/value``.
  ///   - cases: The number of cases per law. The default is ``LawSeed/cases``.
  /// - Returns: The number of cases of each law, and the number of operations that took effect.
  /// - Throws: A ``LawViolation`` with the smallest violating program. But if the laws wait for
  ///   promises and the caller runs in a task, the function throws another error immediately. Swift
  ///   Testing runs every test in a task, even a synchronous one. The top level of a script is a
  ///   task, too.
  @discardableResult
  public static func check(
    _ laws: Laws, for duration: Duration? = nil, atOnce: Int = 1,
    seed: UInt64 = LawSeed.value, cases: Int = LawSeed.cases
  ) throws -> LawReport {
    if laws.laws.contains(where: \.waits), BlockedTask.isNear { throw BlockedTask(laws: laws.name) }
    let report = LawReport()
    let violation = laws.violation(seed, cases, for: duration, atOnce, into: report) { false }
    if let violation { throw violation }
    return report
  }

  /// Checks all laws on one separate thread, and throws the first violation.
  ///
  /// Any number of checks can run in parallel, because none blocks a thread that a level may need.
  ///
  /// - Parameters:
  ///   - laws: The laws to check.
  ///   - duration: The time after which the check begins no further case, or `nil`, the default. At
  ///     least one case of each law runs. Otherwise, all laws share the time equally. It also ends
  ///     the search for a smaller violation.
  ///   - atOnce: The number of cases that may run at the same time, one by default. Pass a larger
  ///     number for a level that waits, such as for a server, if the levels of different cases
  ///     share nothing. Laws whose clients run on threads ignore it.
  ///   - seed: The seed of the first case of each law. The default is ``LawSeed/value``.
  ///   - cases: The number of cases per law. The default is ``LawSeed/cases``.
  /// - Returns: The number of cases of each law, and the number of operations that took effect.
  /// - Throws: A ``LawViolation`` with the smallest violating program, or a `CancellationError` if
  ///   the task is cancelled. If the check has found a violation by then, it stops shrinking it, and
  ///   throws it.
  @discardableResult
  public static func check(
    _ laws: Laws, for duration: Duration? = nil, atOnce: Int = 1,
    seed: UInt64 = LawSeed.value, cases: Int = LawSeed.cases
  ) async throws -> LawReport {
    let isCancelled = Lock(false)
    let report = LawReport()
    let violation = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<LawViolation?, Never>) in
        Thread {
          let violation = laws.violation(seed, cases, for: duration, atOnce, into: report) {
            isCancelled.withLock { $0 }
          }
          continuation.resume(returning: violation)
        }.start()
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
    if let violation { throw violation }
    try Task.checkCancellation()
    return report
  }

  /// Returns the first violation, or `nil` if every law holds. Blocks the calling thread.
  ///
  /// - Precondition: If the laws wait for promises, as the laws of levels do, the caller must not
  ///   run in a task.
  public func violation(seed: UInt64 = LawSeed.value, cases: Int = LawSeed.cases) -> LawViolation? {
    for law in laws {
      if let violation = law.violation(seed: seed, cases: cases) { return violation }
    }
    return nil
  }

  private func violation(
    _ seed: UInt64, _ cases: Int, for duration: Duration?, _ atOnce: Int, into report: LawReport,
    unless isCancelled: () -> Bool
  ) -> LawViolation? {
    let start = ContinuousClock.now
    /// Whether a part of the time has passed, or the check is cancelled.
    func isOver(_ part: Int, of parts: Int) -> Bool {
      isCancelled() || duration.map { ContinuousClock.now > start + $0 * part / parts } ?? false
    }
    for (number, law) in laws.enumerated() {
      var count = 0
      let violation = law.violation(
        seed, cases, atOnce: atOnce, unless: { isOver(number + 1, of: laws.count) },
        shrinkingUntil: { isOver(1, of: 1) }, counting: { count = $0 })
      report.note(law, cases: count)
      if violation != nil || isCancelled() { return violation }
    }
    return nil
  }
}
