import Synchronization

/// The writes of a refreshed cache that are not given to its levels yet: they wait for a back-fill,
/// or for what a load has removed.
///
/// A get looks into the levels itself, past the sum that has the writes: so it asks here.
@usableFromInline
struct BehindWrites<Key: Hashable & Sendable>: Sendable {
  @usableFromInline let ledger: SharedLedger
  @usableFromInline let order: KeyOrder<Key>

  /// - Parameter ledger: That of the sum; without one no write has to wait.
  init(ledger: SharedLedger?, order: KeyOrder<Key>) {
    self.ledger = ledger ?? SharedLedger(levels: 1)
    self.order = order
  }

  @inlinable var isQuiet: Bool {
    ledger.word.load(ordering: .acquiring) & 1 == 0 && order.writes.load(ordering: .acquiring) == 0
  }

  /// Runs a get after the writes of its key that were called before it.
  func read<Value>(
    _ key: Key, _ get: @escaping @Sendable () -> Promise<Value>
  ) -> Promise<Value> {
    order.read(key) {
      let hash = Int(truncatingIfNeeded: KeyHash.ofProcess(key))
      return ledger.gate(level: 0, hash)?.flatMap(get) ?? get()
    }
  }
}
