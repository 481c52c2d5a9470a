/// Loads values that will be needed soon, behind the gets of all callers.
///
/// An app wants the rows around the visible ones, and a script the next chapter. Each calls ``want(_:)``
/// whenever its view changes, and the keys it passes replace the ones before:
///
///     let prefetcher = Prefetcher(pages)
///     prefetcher.want(urls[20..<60])  // loads two at a time, in this order
///     prefetcher.want(urls[30..<70])  // cancels what it doesn't want any more
///
/// A prefetch is a get of the cache, so it fills every level of it, and a get of the same key joins its
/// load in a pool. To fill only the disk, prefetch from a cache without the memory level. The pool must
/// be below the memory level for that, or gets couldn't join:
///
///     let stored = (disk + network).pooled()
///     let images = .memory() + stored
///     let prefetcher = Prefetcher(stored)
///
/// The gets run in tasks of a low priority. So the waiting prefetches of a limit such as
/// `network.limited(toConcurrentGets: 4).pooled()` never delay a get, and are raised when one joins.
/// Prefetches that fail are ignored. Observers of the cache see them.
///
/// When the prefetcher is released, it wants nothing, which cancels what it has begun.
///
/// - Law: Gets return what they return without a prefetcher, and no value is loaded twice. See
///   `prefetch.gets`, `prefetch.once`, `prefetch.cancelling`, and the other laws of `Laws.prefetch`,
///   checked by `PrefetchLaws`.
public final class Prefetcher<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let prefetches: Prefetches<Key, Value>

  /// Creates a prefetcher that wants nothing yet.
  ///
  /// - Parameters:
  ///   - cache: The cache whose levels are filled.
  ///   - count: The maximum number of keys that the prefetcher gets at the same time. The default is 2,
  ///     so that most of the connections to a server remain free. Below one, it counts as one.
  ///   - priority: The priority of the tasks that get the keys. The default is `.background`.
  public init(
    _ cache: Cache<Key, Value>, concurrentGets count: Int = 2, priority: TaskPriority = .background
  ) {
    prefetches = Prefetches(cache.get, max(1, count)) { work in
      Task.detached(priority: priority) { work() }
    }
  }

  /// Creates a prefetcher that calls gets wherever `execute` runs its work.
  package init(
    _ cache: Cache<Key, Value>, concurrentGets count: Int,
    execute: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) {
    prefetches = Prefetches(cache.get, max(1, count), execute)
  }

  deinit { prefetches.replace(by: EmptyCollection()) }

  /// Replaces the keys that are wanted.
  ///
  /// Prefetches of other keys are cancelled, but a load continues if another caller waits for it. A key
  /// that was wanted before is neither cancelled nor loaded again. If its value was evicted meanwhile,
  /// it's loaded again only after its key has left the wanted ones. A failed get is repeated.
  ///
  /// - Parameter keys: The keys in the order in which they're loaded. You can pass a million, because
  ///   only a few are loaded at the same time.
  /// - Complexity: O(n) in the number of keys before and now.
  public func want(_ keys: some Sequence<Key>) { prefetches.replace(by: keys) }

  /// Stops beginning prefetches. Those that run continue.
  public func pause() { prefetches.isPaused = true }

  /// Continues after ``pause()``.
  public func resume() { prefetches.isPaused = false }

  /// The number of wanted keys whose gets haven't ended.
  public var remaining: Int { prefetches.remaining }
}
