import Foundation

extension SegmentLog {
  /// The number of entries that one step handles while it holds a lock.
  private static let listed = 512

  /// Passes the entries of all values to `body`, a few at a time. Holds no lock while `body` runs.
  func forEachEntry(_ body: (Segment, Entry) -> Void) throws(DiskError) {
    let now = files.now()
    try read { state throws(FileError) in
      do throws(FileError) { try state.refresh(at: now) } catch  where error.isMissing {
        // A directory that nothing has created yet has no values.
      }
    }
    for id in state.withLock({ state in state.index.order.map { state.index.segment($0).id } }) {
      var next: Int? = 0
      while let first = next {
        let step = state.withLock { state -> (Segment, [Entry], Int?)? in
          let slot = state.index.order.first { state.index.segment($0).id == id }
          guard let slot else { return nil }
          let valid = state.index.valid(slot, from: first, atMost: Self.listed, at: now)
          return (state.index.segment(slot), valid.entries, valid.next)
        }
        guard let (segment, entries, following) = step else { break }
        for entry in entries { body(segment, entry) }
        next = following
      }
    }
    finish(mayTrim: false)
  }

  /// Removes the expired values from the index. Then, while at most half of the oldest segment is
  /// valid, copies its valid values to the newest, and removes its file. Returns the number of
  /// expired values.
  func removeExpired() throws(DiskError) -> Int {
    let now = files.now()
    try open()
    var removed = 0
    for slot in state.withLock(\.index.order) {
      var next: Int? = 0
      while let first = next {
        let step = state.withLock {
          $0.index.expire(slot, from: first, atMost: Self.listed, at: now)
        }
        removed += step.values
        next = step.next
      }
    }
    try compact(at: now)
    return removed
  }

  /// As long as at most half of the oldest segment's bytes are valid, removes that segment. This
  /// works like an eviction, but all valid values are copied first. So writes of other processes
  /// win against the copies.
  private func compact(at now: Int64) throws(DiskError) {
    for _ in 0..<Index.mostSegments {
      let isSparse = state.withLock { state -> Bool in
        guard let (slot, _) = state.index.oldestSealed, !state.isOverfull(with: 0) else {
          return false
        }
        let (entries, _) = state.index.valid(slot, from: 0, atMost: .max >> 1, at: now)
        let bytes = entries.reduce(0) { $0 + Int($1.length) }
        guard 2 * bytes <= min(state.index.segments[slot]!.size, state.capacity.segment) else {
          return false
        }
        state.index.keepValid(in: slot)
        return true
      }
      guard isSparse, let oldest = state.withLock({ $0.index.oldestSealed?.id }) else { return }
      while state.withLock({ $0.index.oldestSealed?.id }) == oldest {
        try change { writer throws(FileError) in
          try openForWriting(&writer)
          try trimStep(&writer)
        }
      }
    }
  }
}

extension Index {
  /// Marks all values of a segment as read. Then the eviction of the segment copies them instead of
  /// dropping them.
  fileprivate mutating func keepValid(in slot: Int) {
    for entry in segments[slot]!.entries.indices {
      segments[slot]!.entries[entry].isVisited = true
    }
  }
}
