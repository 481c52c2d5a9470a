/// The tickets of all keys of a batch.
struct BatchTicket: Sendable {
  let tickets: [any Sendable]
  let watch: BatchWatch
}

/// Watches the keys of a batch until the batch has been stored.
///
/// Each key that is stored counts as a change. Without the watch, the order would remember only a
/// thousand changes, so the remaining keys of a larger batch would count as changed.
final class BatchWatch: Sendable {
  private let hashes: [Int]
  private let order: SumOrder

  init(_ hashes: [Int], in order: SumOrder) {
    (self.hashes, self.order) = (hashes, order)
    for hash in hashes { _ = order.watch(hash) }
  }

  deinit {
    for hash in hashes { order.unwatch(hash) }
  }
}
