import Synchronization

/// The reads of an origin under way whose result a cache is given, and the writes that they give
/// way to.
///
/// A read that meets a write of its key stores and removes nothing. A write waits, as a promise,
/// until what a read stores has been given to the cache, and not until that has settled. While no
/// read is under way a write costs two atomic loads. Keys are told apart by their hash: equal ones
/// may cost what a read would have stored, and never an answer.
@usableFromInline
final class Forwards<Key: Hashable & Sendable>: Sendable {
  /// A read under way.
  final class Read: Sendable {
    let key: Key
    let hash: Int
    let forget: @Sendable (Key?) -> Void
    /// Whether the cache has a value that is not to be kept if the origin has none.
    let isOutdated = Atomic(false)
    fileprivate let isOvertaken = Atomic(false)

    /// - Parameter forget: Drops the load that is running for the read, if it might be joined.
    init(_ key: Key, forget: @escaping @Sendable (Key?) -> Void = { _ in }) {
      (self.key, self.forget, hash) = (key, forget, key.hashValue)
    }
  }

  @usableFromInline let underWay = Atomic(0)
  @usableFromInline let order = KeyOrder<Key>()
  private let reads = Lock<[Int: [Read]]>([:])  // By hash, in the order in which they began.

  /// Whether a write need not look for reads.
  @inlinable var isQuiet: Bool { underWay.load(ordering: .acquiring) == 0 && order.isQuiet }

  func begin(_ read: Read) {
    underWay.add(1, ordering: .acquiringAndReleasing)
    reads.withLock { $0[read.hash, default: []].append(read) }
  }

  /// Ends a read, which stores nothing after that; more than once without effect.
  func end(_ read: Read) {
    read.isOvertaken.store(true, ordering: .releasing)
    let hasEnded = reads.withLock { reads in
      guard let place = reads[read.hash]?.firstIndex(where: { $0 === read }) else { return false }
      reads[read.hash]?.remove(at: place)
      if reads[read.hash]?.isEmpty == true { reads[read.hash] = nil }
      return true
    }
    if hasEnded { underWay.subtract(1, ordering: .acquiringAndReleasing) }
  }

  /// Notes for the reads of a key that the cache has a value which is not to be kept without them.
  func noteOutdated(_ key: Key) {
    let met = reads.withLock { $0[key.hashValue] ?? [] }
    for read in met { read.isOutdated.store(true, ordering: .releasing) }
  }

  /// Gives the cache what a read has brought, unless a write of its key came since it began, or
  /// what a later read has brought; and unless it has ended.
  func store(_ read: Read, _ set: @escaping @Sendable () -> Promise<Void>) {
    _ = order.write(
      read.key,
      beginning: {
        guard !read.isOvertaken.load(ordering: .acquiring) else { return (Promise(), Promise()) }
        self.overtake(read.hash, before: read)
        return (set(), Promise())
      })
  }

  /// Gives the cache a write of a key, or of all keys if that is `nil`.
  @usableFromInline
  func write(_ key: Key?, _ write: @escaping @Sendable () -> Promise<Void>) -> Promise<Void> {
    for read in overtake(key?.hashValue, before: nil) { read.forget(key) }
    return order.write(key, beginning: { (write(), Promise()) })
  }

  /// Marks the reads of a key that began before another one, or all of that key.
  @discardableResult
  private func overtake(_ hash: Int?, before last: Read?) -> [Read] {
    let met = reads.withLock { reads in
      guard let hash else { return reads.values.flatMap { $0 } }
      return (reads[hash] ?? []).prefix { $0 !== last }.map { $0 }
    }
    for read in met { read.isOvertaken.store(true, ordering: .releasing) }
    return met
  }
}
