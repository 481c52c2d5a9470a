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
}
