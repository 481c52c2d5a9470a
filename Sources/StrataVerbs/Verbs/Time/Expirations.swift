/// The expirations of a tag, or those of all values of a cache, in the order of their ends.
///
/// A value's stale windows begin with the first expiration after the value was stored. Later
/// expirations don't restart them, so the first ones must be remembered, too.
struct Expirations: Codable, Hashable, Sendable {
  private struct Expiration: Codable, Hashable, Sendable {
    /// Values whose stamps aren't later than this instant are stale.
    var end: TimeSource.Instant
    /// The time since which they are stale: the time of the call. It may be earlier than `end`,
    /// because the clocks of two processes may differ.
    var since: TimeSource.Instant
  }

  /// The maximum number of remembered expirations. Beyond it, the two oldest are merged. Then the
  /// windows of some values begin earlier than they should, but no window becomes longer.
  private static let most = 16

  private var all: [Expiration] = []

  /// The end of the last expiration. Values with later stamps aren't stale.
  var end: TimeSource.Instant? { all.last?.end }

  /// Adds an expiration of all values whose stamps aren't later than `end`.
  mutating func add(upTo end: TimeSource.Instant, since: TimeSource.Instant) {
    if let last = all.last, end <= last.end { return }
    all.append(Expiration(end: end, since: since))
    guard all.count > Self.most else { return }
    all[1].since = min(all[0].since, all[1].since)
    all.removeFirst()
  }

  /// Merges the expirations of another tag into these. The result is one expiration, which applies
  /// to every value that one of them applied to.
  mutating func merge(_ other: Expirations) {
    let both = all + other.all
    guard let end = both.map(\.end).max(), let since = both.map(\.since).min() else { return }
    all = [Expiration(end: end, since: since)]
  }

  /// Returns the time since which a value with this stamp is stale, or `nil` if it isn't stale.
  func since(of stamp: TimeSource.Instant) -> TimeSource.Instant? {
    all.first { stamp <= $0.end }?.since
  }
}

/// The times at which all values of a refreshed cache were made stale.
final class StaleMarks: Sendable {
  /// The last of these times. A value with a later stamp isn't stale.
  let newest = NewestMark(.first)
  private let expirations = Lock(Expirations())

  /// Makes all values stale that have been stored so far.
  func mark(at now: TimeSource.Instant) {
    let end = newest.next(now)
    expirations.withLock { $0.add(upTo: end, since: now) }
    newest.store(end)
  }

  /// Returns the time since which a value with this stamp is stale, or `nil` if it isn't stale.
  func since(of stamp: TimeSource.Instant) -> TimeSource.Instant? {
    expirations.withLock { $0.since(of: stamp) }
  }
}
