import Synchronization

/// The forwarded reads of a cache that are under way, and the writes that they give way to.
///
/// A read that meets a write of its key stores nothing. A write waits, as a promise, until what a
/// read stores has been given to the cache, and not until that has settled. While no read is under
/// way a write costs two atomic loads. Keys are told apart by their hash: equal ones may cost what a
/// read would have stored, and never an answer.
@usableFromInline
final class Forwards<Key: Hashable & Sendable>: Sendable {
  /// A read under way.
  final class Read: Sendable {
    let key: Key
    let hash: Int
    let forget: @Sendable (Key?) -> Void
    fileprivate let isOvertaken = Atomic(false)

    /// - Parameter forget: Drops the load that is running for the read, if it might be joined.
    init(_ key: Key, forget: @escaping @Sendable (Key?) -> Void) {
      (self.key, self.forget, hash) = (key, forget, key.hashValue)
    }
  }

  @usableFromInline let underWay = Atomic(0)
  @usableFromInline let order = KeyOrder<Key>()
  private let reads = Lock<[Read]>([])  // In the order in which they began.

  /// Whether a write need not look for reads.
  @inlinable var isQuiet: Bool { underWay.load(ordering: .acquiring) == 0 && order.isQuiet }

  func begin(_ read: Read) {
    underWay.add(1, ordering: .acquiringAndReleasing)
    reads.withLock { $0.append(read) }
  }

  /// Ends a read; more than once without effect.
  func end(_ read: Read) {
    let ended = reads.withLock { reads in
      reads.firstIndex { $0 === read }.map { reads.remove(at: $0) }
    }
    if ended != nil { underWay.subtract(1, ordering: .acquiringAndReleasing) }
  }

  /// Gives the cache what a read has brought, unless a write of its key came since it began, or what
  /// a later read has brought.
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
      reads.prefix { $0 !== last }.filter { hash == nil || $0.hash == hash }
    }
    for read in met { read.isOvertaken.store(true, ordering: .releasing) }
    return met
  }
}
