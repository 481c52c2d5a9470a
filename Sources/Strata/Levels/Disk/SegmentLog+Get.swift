import Foundation

extension SegmentLog {
  enum Answer {
    case miss
    case value(StoredValue)
    case long(Hit)
  }

  /// Where a value was found: enough to read it without any lock.
  struct Hit: Sendable {
    let segment: Segment
    let offset: Int
    let length: Int
    fileprivate let key: [UInt8]
    fileprivate let hash: UInt64
    /// When it was asked for: later it may have passed its deadline, and is the answer all the
    /// same.
    fileprivate let moment: Int64
  }

  /// Returns the value of a key with its birth and deadline, or `nil` if it has none that is alive.
  func value(for key: String) -> StoredValue? {
    guard case .value(let value) = answer(for: key, readingUpTo: .max) else { return nil }
    return value
  }

  /// Looks up a key and reads its value, unless the record is longer than so many bytes: that is to
  /// be read elsewhere.
  ///
  /// - Parameter moment: When values are to be alive; now unless told otherwise.
  func answer(
    for key: String, readingUpTo longest: Int, at moment: Int64? = nil
  ) -> Answer {
    CanonicalKey.withBytes(of: key) { bytes in
      let (hash, now) = (RecordHeader.hash(of: bytes), files.now())
      let moment = moment ?? now
      guard let (segment, offset, length) = find(hash, at: moment, now) else { return .miss }
      guard length <= longest else {
        return .long(
          Hit(
            segment: segment, offset: offset, length: length, key: Array(bytes), hash: hash,
            moment: moment))
      }
      guard
        let value = segment.read(at: offset, length: length, key: bytes, hash: hash, now: moment)
      else {
        countMiss()
        return .miss
      }
      return .value(value)
    }
  }

  func read(_ hit: Hit) -> StoredValue? {
    let value = hit.key.withUnsafeBytes { key in
      hit.segment.read(
        at: hit.offset, length: hit.length, key: key, hash: hit.hash, now: hit.moment)
    }
    if value == nil { countMiss() }
    return value
  }

  /// What the index took for a hit was none: damaged, or past its deadline within a second.
  private func countMiss() {
    state.withLock { state in
      state.counts.hits &-= 1
      state.counts.misses &+= 1
    }
  }

  typealias Found = (segment: Segment, offset: Int, length: Int)

  /// Looks into the index, after catching up if anybody has written since.
  func find(_ hash: UInt64, at moment: Int64, _ now: Int64) -> Found? {
    let glance: Found?? = state.withLock { state in
      guard state.isUpToDate(files, directory, now) else { return nil }
      return .some(state.look(hash, moment))
    }
    if let glance { return glance }
    if isLastSealed(at: now) { return state.withLock { $0.look(hash, moment) } }
    return writing { writer in
      // If this fails, the index was emptied, or is that of a folder in which nobody can write.
      try? refresh(&writer)
      return state.withLock { $0.look(hash, moment) }
    }
  }
}
