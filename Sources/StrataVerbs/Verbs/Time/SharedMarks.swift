/// The marks in a cache that several processes share.
///
/// A process can't issue the stamps of other processes. So a mark covers all stamps up to `margin`
/// after its own time. Values that are stored after the mark get later stamps. This is correct as
/// long as the clocks of the processes differ by less than the margin.
///
/// The marks have one order: each mark is later than all earlier ones. So if a value is stored
/// after one mark, a later mark of another tag still applies to it.
///
/// No atomic increment is needed. Instead, a removal first replaces the token under `latest`, and
/// then marks its tags. A load reads the token when it begins, and again after it has read the
/// marks of its value's tags. When the token is the same both times, all these marks belong to
/// removals that ended before the load began.
struct SharedMarks: TagMarks {
  private static let latest = "latest"

  private let cache: Cache<String, TagMark>
  private let margin: Duration
  private let now: @Sendable () -> TimeSource.Instant
  private let seen = SeenMarks()

  init(in cache: Cache<String, TagMark>, margin: Duration, clock: TimeSource) {
    (self.cache, self.margin, now) = (cache, max(.zero, margin), clock.now)
  }

  private func find(_ key: String) -> Promise<TagMark?> {
    cache.get(key).map { mark in
      seen.note(mark)
      return mark
    }.recover { error in
      guard error.isMiss else { throw error }
      return Promise<TagMark?>(nil)
    }
  }

  private func marks(of tags: [String]) -> Promise<[TagMark]> {
    Promise<TagMark?>.all(tags.map { find("tag/" + $0) }).map { $0.compactMap(\.self) }
  }

  func begin() -> Promise<UInt64> {
    find(Self.latest).map { mark in
      let token = mark?.token ?? 0
      seen.begin(token)
      return token
    }
  }

  func mark(_ tags: Set<String>, _ action: Tags.Action) -> Promise<Void> {
    guard !tags.isEmpty else { return Promise() }
    LoadEpoch.begin()
    return find(Self.latest).flatMap { _ in
      let now = now()
      let end = seen.end(after: now.advanced(by: margin))
      return raise(to: end).flatMap {
        Promise<Void>.all(tags.map { mark("tag/" + $0, action, at: end, now: now) })
      }.flatMap { _ in
        // Another process may have replaced the latest mark with an earlier one.
        find(Self.latest).flatMap { ($0?.removed ?? .first) < end ? raise(to: end) : Promise() }
      }
    }
  }

  /// Replaces the token.
  private func raise(to end: TimeSource.Instant) -> Promise<Void> {
    var latest = TagMark(removed: end)
    latest.token = .random(in: 1 ... .max)
    return cache.set(Self.latest, latest)
  }

  private func mark(
    _ key: String, _ action: Tags.Action, at end: TimeSource.Instant, now: TimeSource.Instant
  ) -> Promise<Void> {
    find(key).flatMap { old in
      var mark = old ?? TagMark()
      mark.add(action, at: max(end, mark.end?.next ?? end), now: now)
      return cache.set(key, mark)
    }
  }

  func verdict(of tags: [String], stamped stamp: TimeSource.Instant) -> Promise<TagVerdict> {
    find(Self.latest).flatMap { latest in
      guard latest != nil else { return Promise(.valid) }
      return marks(of: tags).map { marks in
        marks.reduce(.valid) { $0.and($1.verdict(of: stamp)) }
      }
    }
  }

  func stamp(
    _ tags: [String], from stamp: TimeSource.Instant, since ticket: UInt64?
  ) -> Promise<TimeSource.Instant?> {
    marks(of: tags).flatMap { marks in
      let stamp = marks.compactMap(\.end).reduce(stamp) { max($0, $1.next) }
      guard let ticket else { return Promise(stamp) }
      return begin().map { $0 == ticket ? stamp : nil }
    }
  }
}

/// The marks that a process has seen.
private final class SeenMarks: Sendable {
  private let state = Lock((token: UInt64(0), end: TimeSource.Instant.first))

  func note(_ mark: TagMark) {
    guard let end = mark.end else { return }
    state.withLock { $0.end = max($0.end, end) }
  }

  /// Returns a time that is later than all marks, and not earlier than `instant`. A value that is
  /// stored after a mark has a stamp later than this mark. To apply to such values as well, the
  /// next mark must be later, too.
  func end(after instant: TimeSource.Instant) -> TimeSource.Instant {
    state.withLock { state in
      state.end = max(state.end.next, instant)
      return state.end
    }
  }

  /// Begins a new epoch if the token differs from the previous one.
  func begin(_ token: UInt64) {
    state.withLock { state in
      if state.token != token { LoadEpoch.begin() }
      state.token = token
    }
  }
}
