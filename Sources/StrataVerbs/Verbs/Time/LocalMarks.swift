import Synchronization

/// The marks of one process.
///
/// One lock guards the marks and the stamps of values, so all of them have one order, even if the
/// clock stands still. The stamp of a value is later than a mark if and only if the value was
/// stored after the mark.
final class LocalMarks: TagMarks {
  fileprivate struct State {
    var marks: [String: (mark: TagMark, number: UInt64)] = [:]
    /// The tags in the order of their marks, including tags that were marked again later.
    var queue: [(tag: String, number: UInt64)] = []
    var first = 0
    /// The oldest marks, merged into one that applies to every tag, because there is a maximum
    /// number of marks.
    var rest = TagMark()
    var restNumber: UInt64 = 0
    /// The number of removals so far. When a load begins, it records this number, and so can tell
    /// later removals from earlier ones.
    var number: UInt64 = 0
    /// The latest stamp or mark so far.
    var latest = TimeSource.Instant.first
  }

  let newest: NewestMark
  private let capacity: Int
  private let now: @Sendable () -> TimeSource.Instant
  private let state = Lock(State())

  init(atMost capacity: Int, clock: TimeSource) {
    newest = NewestMark(.first)
    self.capacity = max(0, capacity)
    now = clock.now
  }

  var count: Int { state.withLock { $0.marks.count } }

  func begin() -> Promise<UInt64> { Promise(state.withLock { $0.number }) }

  func mark(_ tags: Set<String>, _ action: Tags.Action) -> Promise<Void> {
    guard !tags.isEmpty else { return Promise() }
    let now = now()
    LoadEpoch.begin()  // Before a load can read the new number, so that it joins no older load.
    state.withLock { state in
      state.number += 1
      state.latest = max(state.latest, now)
      for tag in tags {
        var mark = state.marks[tag]?.mark ?? TagMark()
        mark.add(action, at: state.latest, now: now)
        state.marks[tag] = (mark, state.number)
        state.queue.append((tag, state.number))
      }
      state.merge(atMost: capacity)
      newest.store(state.latest)
    }
    return Promise()
  }

  func verdict(of tags: [String], stamped stamp: TimeSource.Instant) -> Promise<TagVerdict> {
    Promise(
      state.withLock { state in
        tags.reduce(state.rest.verdict(of: stamp)) { verdict, tag in
          verdict.and(state.marks[tag]?.mark.verdict(of: stamp) ?? .valid)
        }
      })
  }

  func stamp(
    _ tags: [String], from stamp: TimeSource.Instant, since ticket: UInt64?
  ) -> Promise<TimeSource.Instant?> {
    Promise(
      state.withLock { state -> TimeSource.Instant? in
        let marks = tags.compactMap { state.marks[$0] } + [(state.rest, state.restNumber)]
        if let ticket, marks.contains(where: { $0.number > ticket }) { return nil }
        let stamp = marks.compactMap(\.mark.end).reduce(stamp) { max($0, $1.next) }
        state.latest = max(state.latest, stamp)
        return stamp
      })
  }
}

extension LocalMarks.State {
  /// Merges the oldest marks until at most `capacity` remain.
  fileprivate mutating func merge(atMost capacity: Int) {
    while first < queue.count {
      let (tag, number) = queue[first]
      let held = marks[tag].flatMap { $0.number == number ? $0 : nil }
      guard held == nil || marks.count > capacity else { break }
      first += 1
      guard let held else { continue }
      marks[tag] = nil
      rest.merge(held.mark)
      restNumber = max(restNumber, number)
    }
    // Rebuilding the queue takes O(1) time for each mark, amortized.
    if queue.count > 2 * marks.count + 64 {
      queue = queue[first...].filter { marks[$0.tag]?.number == $0.number }
      first = 0
    }
  }
}

/// The time of the newest mark. A value with a later stamp is valid, whatever its tags are.
@usableFromInline
final class NewestMark: Sendable {
  @usableFromInline let nanoseconds: Atomic<Int64>

  init(_ instant: TimeSource.Instant) { nanoseconds = Atomic(instant.nanoseconds) }

  /// Moves the mark to a later time. An earlier time has no effect.
  func store(_ instant: TimeSource.Instant) {
    nanoseconds.max(instant.nanoseconds, ordering: .acquiringAndReleasing)
  }

  /// Returns `now`, or the earliest later time that is later than every mark.
  func next(_ now: TimeSource.Instant) -> TimeSource.Instant {
    let mark = nanoseconds.load(ordering: .acquiring)
    return mark == .min ? now : max(now, TimeSource.Instant(nanoseconds: mark).next)
  }

  /// Whether a stamp is later than every mark.
  @inlinable
  func isBefore(_ stamp: TimeSource.Instant) -> Bool {
    nanoseconds.load(ordering: .acquiring) < stamp.nanoseconds
  }
}

extension TimeSource.Instant {
  static let first = Self(nanoseconds: .min)

  var next: Self { advanced(byNanoseconds: 1) }
}
