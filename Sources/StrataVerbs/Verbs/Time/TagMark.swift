/// The latest removals and expirations of a tag. See ``Tags``.
///
/// Your program only chooses the cache that stores the marks, for example `redis <*> .json()`.
/// ``Tags`` creates them.
public struct TagMark: Codable, Hashable, Sendable {
  /// Values whose stamps aren't later than this instant are removed.
  var removed: TimeSource.Instant?
  /// The expirations since the last removal.
  var expirations = Expirations()
  /// A number that is different after each removal.
  var token: UInt64 = 0

  /// The end of the last removal or expiration. Values with later stamps are newer than this mark.
  var end: TimeSource.Instant? {
    guard let removed, let expired = expirations.end else { return removed ?? expirations.end }
    return max(removed, expired)
  }

  /// Adds a removal or an expiration to this mark. Removals replace all earlier expirations.
  mutating func add(
    _ action: Tags.Action, at instant: TimeSource.Instant, now: TimeSource.Instant
  ) {
    switch action {
    case .remove:
      removed = max(removed ?? instant, instant)
      expirations = Expirations()
    case .expire: expirations.add(upTo: instant, since: now)
    }
  }

  /// Merges another tag's mark into this one, which then applies to every value that either mark
  /// applied to.
  mutating func merge(_ other: TagMark) {
    removed = [removed, other.removed].compactMap(\.self).max()
    expirations.merge(other.expirations)
  }

  /// Returns whether a value with this stamp is valid, stale, or removed.
  func verdict(of stamp: TimeSource.Instant) -> TagVerdict {
    if let removed, stamp <= removed { return .removed }
    return expirations.since(of: stamp).map { .stale(since: $0) } ?? .valid
  }
}

/// The state of a value according to the marks of its tags.
enum TagVerdict: Equatable, Sendable {
  case valid
  case stale(since: TimeSource.Instant)
  case removed

  /// Returns the stricter of two verdicts.
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
  /// Marks tags. Once the promise has succeeded, every value that has one of the tags and was
  /// stored before this call is invalid.
  func mark(_ tags: Set<String>, _ action: Tags.Action) -> Promise<Void>
  /// Returns whether a value with these tags and this stamp is valid, stale, or removed.
  func verdict(of tags: [String], stamped stamp: TimeSource.Instant) -> Promise<TagVerdict>
  /// Returns a stamp for a value: a time after all marks of its tags. Returns `nil` if the load of
  /// the value began with `ticket`, and one of the tags may have been marked since then.
  func stamp(
    _ tags: [String], from stamp: TimeSource.Instant, since ticket: UInt64?
  ) -> Promise<TimeSource.Instant?>
}
