import Foundation
import StrataCore

/// The laws of one structure, such as a level, a verb, or a codec.
///
/// In a throwing test function, one line checks all laws of a structure:
///
///     try await Laws.check(.monoid)
///     try await Laws.check(.level { MyLevel().cache })
///
/// The environment variable `STRATA_SEED` seeds all random cases. The description of a violation
/// contains the seed. The environment variable `STRATA_CASES` sets the number of cases per law,
/// which is 400 by default.
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
  ///   - seed: The seed of the first case of each law. The default is ``Seed/value``.
  ///   - cases: The number of cases per law. The default is ``Seed/cases``.
  /// - Throws: A ``LawViolation`` with the smallest violating program. If the laws wait for
  ///   promises and the caller runs in a task, the function immediately throws an error that isn't
  ///   a ``LawViolation``. Swift Testing runs every test in a task, even a synchronous test.
  public static func check(
    _ laws: Laws, seed: UInt64 = Seed.value, cases: Int = Seed.cases
  ) throws {
    if laws.laws.contains(where: \.waits), BlockedTask.isNear { throw BlockedTask(laws: laws.name) }
    if let violation = laws.violation(seed: seed, cases: cases) { throw violation }
  }

  /// Checks all laws on one separate thread, and throws the first violation.
  ///
  /// Any number of checks can run in parallel, because a check doesn't block any thread that a
  /// level may need.
  ///
  /// - Parameters:
  ///   - laws: The laws to check.
  ///   - seed: The seed of the first case of each law. The default is ``Seed/value``.
  ///   - cases: The number of cases per law. The default is ``Seed/cases``.
  /// - Throws: A ``LawViolation`` with the smallest violating program, or a `CancellationError` if
  ///   the task is cancelled.
  public static func check(
    _ laws: Laws, seed: UInt64 = Seed.value, cases: Int = Seed.cases
  ) async throws {
    let isCancelled = Lock(false)
    let violation = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<LawViolation?, Never>) in
        Thread {
          let violation = laws.violation(seed, cases) { isCancelled.withLock { $0 } }
          continuation.resume(returning: violation)
        }.start()
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
    if let violation { throw violation }
    try Task.checkCancellation()
  }

  /// Returns the first violation, or `nil` if every law holds. Blocks the calling thread.
  ///
  /// - Precondition: If the laws wait for promises, as the laws of levels do, the caller must not
  ///   run in a task.
  public func violation(seed: UInt64 = Seed.value, cases: Int = Seed.cases) -> LawViolation? {
    for law in laws {
      if let violation = law.violation(seed: seed, cases: cases) { return violation }
    }
    return nil
  }

  private func violation(
    _ seed: UInt64, _ cases: Int, unless isCancelled: () -> Bool
  ) -> LawViolation? {
    for law in laws {
      let violation = law.violation(seed, cases, unless: isCancelled)
      if violation != nil || isCancelled() { return violation }
    }
    return nil
  }
}
