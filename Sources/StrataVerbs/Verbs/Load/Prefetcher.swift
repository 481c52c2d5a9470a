/// An object that loads values before they are needed, with a lower priority than the gets of
/// callers.
///
/// An app prefetches the rows around the visible ones, and a script prefetches the next chapter.
/// Call ``want(_:)`` whenever the view changes. Each call's keys replace the keys of the call
/// before:
///
///     let prefetcher = Prefetcher(pages)
///     prefetcher.want(urls[20..<60])  // loads two at a time, in this order
///     prefetcher.want(urls[30..<70])  // cancels what it doesn't want any more
///
/// A prefetch is a get of the cache, so it fills every level of the cache. In a pool, another get
/// of the same key joins its load. To fill only the disk, prefetch from a cache without the memory
/// level. Then the pool must be below the memory level, so that gets of both caches share it:
///
///     let stored = (disk + network).pooled()
///     let images = .memory() + stored
///     let prefetcher = Prefetcher(stored)
///
/// Prefetches run in tasks of a low priority. In a cache such as
/// `network.limited(toConcurrentGets: 4).pooled()`, a waiting prefetch never delays another get.
/// When a get joins the load of a waiting prefetch, the load takes the priority of this get. Errors
/// are ignored, but observers of the cache receive them.
///
/// When the prefetcher is released, it cancels the prefetches that it has begun.
///
/// - Law: Gets return the same values as without a prefetcher, and no value is loaded twice. See
///   `prefetch.gets`, `prefetch.once`, `prefetch.cancelling`, and the other laws of
///   `Laws.prefetch`, checked by `PrefetchLaws`.
public final class Prefetcher<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let prefetches: Prefetches<Key, Value>

  /// Creates a prefetcher without keys.
  ///
  /// - Parameters:
  ///   - cache: The cache whose levels are filled.
  ///   - count: The maximum number of keys that the prefetcher gets at the same time. The default
  ///     is 2, which leaves most of the connections to a server free. Numbers below one count as
  ///     one.
  ///   - priority: The priority of the tasks that get the keys. The default is `.background`.
  public init(
    _ cache: Cache<Key, Value>, concurrentGets count: Int = 2, priority: TaskPriority = .background
  ) {
    prefetches = Prefetches(cache.get, max(1, count)) { work in
      Task.detached(priority: priority) { work() }
    }
  }

  /// Creates a prefetcher that passes its work to `execute`, which decides where the gets are
  /// called.
  package init(
    _ cache: Cache<Key, Value>, concurrentGets count: Int,
    execute: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) {
    prefetches = Prefetches(cache.get, max(1, count), execute)
  }

  deinit { prefetches.replace(by: EmptyCollection()) }

  /// Replaces the keys to prefetch.
  ///
  /// Prefetches of all other keys are cancelled, but a load continues if another caller waits for
  /// it. If a key was already in the list, its prefetch continues, and a value that has been loaded
  /// isn't loaded again. Even an evicted value is loaded again only if its key leaves the list and
  /// returns. But a failed prefetch is repeated.
  ///
  /// - Parameter keys: The keys in the order in which they should be loaded. You can pass a million
  ///   keys, because the prefetcher loads only a few at the same time.
  /// - Complexity: O(n) for n old and new keys.
  public func want(_ keys: some Sequence<Key>) { prefetches.replace(by: keys) }

  /// Begins no further prefetches until ``resume()``. Prefetches that already run continue.
  public func pause() { prefetches.isPaused = true }

  /// Continues after ``pause()``.
  public func resume() { prefetches.isPaused = false }

  /// The number of keys whose prefetches haven't ended.
  public var remaining: Int { prefetches.remaining }
}
