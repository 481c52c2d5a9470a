/// The state of a cache's refreshes, by the hashes of their keys. It contains the background
/// refreshes in flight, the loads that hang, and the keys that pause after a failure.
///
/// Two keys with the same hash share their pauses and can delay each other's refresh, but gets
/// still return correct values.
final class Refreshes: Sendable {
  /// The failures of a key since its last success.
  private struct Failures {
    var count: Int
    var last: TimeSource.Instant
    /// A random number from 0 to 1, chosen once for each failure.
    var chance: Double
    /// The error of the last load.
    var error: any Error
  }

  private struct State {
    var running: Set<Int> = []
    var hanging: Set<Int> = []
    var failures: [Int: Failures] = [:]
  }

  /// The maximum number of keys whose failures are remembered. When one more key fails, the cache
  /// forgets all pauses, so each key calls its origin once more.
  private static let capacity = 10_000

  private let state = Lock(State())

  /// Records that a background refresh begins. Returns `false` if one is already in flight.
  func begin(_ hash: Int) -> Bool { state.withLock { $0.running.insert(hash).inserted } }

  /// Records that a background refresh has ended.
  func end(_ hash: Int) { state.withLock { _ = $0.running.remove(hash) } }

  /// Records that a get has stopped waiting for the load of a key.
  func giveUp(_ hash: Int) { state.withLock { _ = $0.hanging.insert(hash) } }

  /// Records the end of a load for which a get had stopped waiting.
  func recover(_ hash: Int) { state.withLock { _ = $0.hanging.remove(hash) } }

  /// Whether a load of the key is still running after a get has stopped waiting for it.
  func isHanging(_ hash: Int) -> Bool { state.withLock { $0.hanging.contains(hash) } }

  /// Records the outcome of a load. But a load that was cancelled, or that a verb refused, doesn't
  /// count, because it says nothing about the origin.
  func note<Value>(_ outcome: Promise<Value>.Outcome, of hash: Int, at now: TimeSource.Instant) {
    let hasAnswered: Bool
    switch outcome {
    case .success: hasAnswered = true
    case .failure(let error) where !error.isRefusal: hasAnswered = error.isMiss
    default: return recover(hash)
    }
    _ = state.withLock { state -> [Int: Failures] in
      state.hanging.remove(hash)
      guard !hasAnswered, let error = outcome.error else {
        return state.failures.removeValue(forKey: hash).map { [hash: $0] } ?? [:]
      }
      var forgotten: [Int: Failures] = [:]
      if state.failures.count >= Self.capacity, state.failures[hash] == nil {
        swap(&forgotten, &state.failures)
      }
      let count = state.failures[hash]?.count ?? 0
      let failures = Failures(
        count: min(count + 1, 100), last: now, chance: .random(in: 0...1), error: error)
      if let old = state.failures.updateValue(failures, forKey: hash) { forgotten[hash] = old }
      return forgotten
    }
  }

  /// Returns the error of the key's last load if the key still pauses after it.
  func pausing(_ hash: Int, _ freshness: Freshness, at now: TimeSource.Instant) -> (any Error)? {
    guard let failures = state.withLock({ $0.failures[hash] }) else { return nil }
    let pause = Backoff.exponential(from: freshness.pause, atMost: freshness.longestPause)
      .jittered(random: { failures.chance }).delay(failures.count)
    return now < failures.last.advanced(by: pause) ? failures.error : nil
  }
}
