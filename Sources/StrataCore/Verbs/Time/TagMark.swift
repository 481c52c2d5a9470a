/// The removals of a tag. See ``Tags``.
///
/// Programs only store marks, for example with `redis <*> .json()`. They don't create marks.
public struct TagMark: Codable, Hashable, Sendable {
  /// Values whose stamps aren't later are removed.
  var removed: TimeSource.Instant?
  /// Values whose stamps aren't later are stale.
  var expired: TimeSource.Instant?
  /// When they became stale.
  var expiredAt: TimeSource.Instant?
  /// A number that is different after each removal.
  var token: UInt64 = 0

  /// The stamp that a value needs at least to be newer than this mark.
  var end: TimeSource.Instant? {
    guard let removed, let expired else { return removed ?? expired }
    return max(removed, expired)
  }

  /// Adds a removal. A hard removal absorbs soft ones.
  mutating func add(
    _ action: Tags.Action, at instant: TimeSource.Instant, now: TimeSource.Instant
  ) {
    switch action {
    case .remove:
      removed = max(removed ?? instant, instant)
      (expired, expiredAt) = (nil, nil)
    case .expire:
      expired = max(expired ?? instant, instant)
      expiredAt = now
    }
  }

  /// Adds another tag's mark, so that this mark concerns every value that either one concerns.
  mutating func merge(_ other: TagMark) {
    removed = [removed, other.removed].compactMap(\.self).max()
    expired = [expired, other.expired].compactMap(\.self).max()
    expiredAt = [expiredAt, other.expiredAt].compactMap(\.self).min()
  }

  /// Returns what this mark says about a value with a stamp.
  func verdict(of stamp: TimeSource.Instant) -> TagVerdict {
    if let removed, stamp <= removed { return .removed }
    if let expired, let expiredAt, stamp <= expired { return .stale(since: expiredAt) }
    return .valid
  }
}

/// What the marks of its tags say about a value.
enum TagVerdict: Equatable, Sendable {
  case valid
  case stale(since: TimeSource.Instant)
  case removed

  /// The stricter one of two verdicts.
  func and(_ other: TagVerdict) -> TagVerdict {
    switch (self, other) {
    case (.removed, _), (_, .removed): .removed
    case (.stale(let one), .stale(let other)): .stale(since: min(one, other))
    case (.stale, _): self
    default: other
    }
  }
}

/// The place of the marks: in this process, or in a cache that several processes share.
protocol TagMarks: Sendable {
  /// Returns a number that is different after each removal.
  func begin() -> Promise<UInt64>
  /// Marks tags. When the promise has settled, no value of the tags that was stored before is valid.
  func mark(_ tags: Set<String>, _ action: Tags.Action) -> Promise<Void>
  /// Returns what the marks say about a value that has tags and a stamp.
  func verdict(of tags: [String], stamped stamp: TimeSource.Instant) -> Promise<TagVerdict>
  /// Returns the stamp with which a value is newer than the marks of its tags. Returns `nil` if the
  /// value was loaded since `ticket`, and one of its tags may have been marked meanwhile.
  func stamp(
    _ tags: [String], from stamp: TimeSource.Instant, since ticket: UInt64?
  ) -> Promise<TimeSource.Instant?>
}
