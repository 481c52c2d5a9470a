/// An origin that receives the stored value of a key, and that can return more than a value.
///
/// Use a loader if the origin can report that a value hasn't changed, or knows how long a value
/// lasts. A loader can also return values that mustn't be stored:
///
///     let stamped: Cache<Int, Stamped<String>> = .memory()
///     let products = stamped.refreshing(
///       Freshness(for: .seconds(60)),
///       from: Loader { key, old in
///         if key < 0 { return .absent(for: .seconds(30)) }  // A remembered miss.
///         if old != nil { return .unchanged }  // The old value, with a new creation time.
///         let name = try await Fetcher { "product \($0)" }.value(for: key)
///         return .fresh(name, for: .seconds(600))  // A value with its own lifetime.
///       })
///
/// When a write to the key or a `clear` begins during the load, the answer changes nothing in the
/// cache.
///
/// - Law: A loader that ignores the stored value and always answers `.fresh(f(key))` equals
///   `Fetcher(f)`. See `loader.fetcher`, `loader.unchanged`, `loader.nothing`, `loader.unstored`,
///   `loader.absent`, and `loader.lifetime` in `Laws.loader`, checked by `LoaderLaws`.
public struct Loader<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The answer of a load.
  public enum Answer: Sendable {
    /// A new value. Without a lifetime, the value has the lifetime of the `Freshness`. Negative
    /// lifetimes count as zero, and lifetimes of more than a century as a century.
    case fresh(Value, for: Duration? = nil)
    /// The stored value is still valid. It's stored again with a new creation time and the lifetime
    /// of the `Freshness`. When there is no stored value, the load fails with
    /// ``UnchangedNothingError``.
    case unchanged
    /// The origin has no value. The cache removes the stored value, and remembers the miss for the
    /// given time, or until a write to the key. With a time of zero or less, the miss isn't
    /// remembered.
    case absent(for: Duration = .zero)
    /// A value that the waiting gets return, but that the cache doesn't store. The stored value
    /// remains.
    case unstored(Value)
  }

  package let load: @Sendable (Key, Stamped<Value>?) -> Promise<Answer>

  /// Creates a loader from a function that returns a promise.
  ///
  /// - Parameter load: A function that runs once for each load, on the caller's thread. It receives
  ///   the key and the stored value with its stamp. This value may have expired. It's `nil` if no
  ///   value is stored, or if a failed write may have left an outdated one.
  public init(_ load: @escaping @Sendable (Key, Stamped<Value>?) -> Promise<Answer>) {
    self.load = load
  }

  /// Creates a loader from an async function.
  ///
  /// - Parameter load: A function that runs once for each load, in a separate task. It receives the
  ///   key and the stored value with its stamp. This value may have expired. The task is cancelled
  ///   when no get waits for the load any more, or when the load exceeds its time limit.
  @_disfavoredOverload
  public init(_ load: @escaping @Sendable (Key, Stamped<Value>?) async throws -> Answer) {
    self.load = { key, old in Promise { try await load(key, old) } }
  }
}

/// The error of a load that returned `.unchanged` for a key without a stored value.
public struct UnchangedNothingError: Error, Equatable, CustomStringConvertible {
  /// The text of the key, shortened to at most 60 Unicode scalars.
  public let key: String

  /// Creates an error for a key.
  public init(key: String) { self.key = key }

  /// The error and its remedy.
  public var description: String {
    "unchanged without a value: the loader answered .unchanged for \(key), but no value is stored. "
      + "Answer .fresh with a value if the old value is nil."
  }
}

extension Cache {
  /// Returns a cache of plain values that are refreshed from a loader when they are stale.
  ///
  /// The cache works as if it were refreshed from a fetcher. See
  /// ``refreshing(_:from:)-(_,Fetcher<Key,Plain>)``. In addition, the loader receives the stored
  /// value, and can choose the lifetime of the new one. When this lifetime ends, the stale windows
  /// of `freshness` begin. See ``Loader``.
  ///
  /// A load reads the stored value once more, without an event for observers.
  ///
  /// - Parameters:
  ///   - freshness: The time for which a value is fresh if the loader chooses no lifetime, and the
  ///     windows for stale values.
  ///   - loader: The origin of fresh values.
  /// - Complexity: O(1), as with a fetcher. The cache remembers at most 10,000 absent keys.
  /// - Law: See ``Loader``, and the laws of `refreshing`, checked by `LoaderLaws`.
  @inlinable
  public func refreshing<Plain>(
    _ freshness: Freshness, from loader: Loader<Key, Plain>
  ) -> Cache<Key, Plain> where Value == Stamped<Plain> {
    let clock = clock
    return refreshing(freshness.followingDeadlines) { old in
      loader.origin(clock: clock, old)
    }
  }
}

/// The miss of a load that returned `.absent`.
private struct Absence: MissError {
  let isMiss = true
  let lifetime: Duration
}

extension Loader {
  /// The origin of a refreshed cache. The function `old` reads the stored values of this cache.
  @usableFromInline
  func origin(
    clock: TimeSource, _ old: @escaping @Sendable (Key) -> Promise<Stamped<Value>?>
  ) -> Cache<Key, Loaded<Value>> {
    let load = load
    let plan = CachePlan.level("loader", .origin)
    let origin = Cache<Key, Loaded<Value>>(
      get: { key in
        old(key).flatMap { old in
          load(key, old).flatMap { answer in
            switch answer {
            case .fresh(let value, let lifetime): Promise(Loaded(value, lasting: lifetime))
            case .unchanged:
              old.map { Promise(Loaded($0.value)) }
                ?? Promise(error: UnchangedNothingError(key: shortened(key)))
            case .absent(let lifetime): Promise(error: Absence(lifetime: lifetime))
            case .unstored(let value): Promise(Loaded(value, isStored: false))
            }
          }
        }
      }, plan: plan)
    let remembering = origin.rememberingMisses(plan, clock: clock) {
      ($0 as? Absence)?.lifetime
    }
    return remembering.transforming(plan, conduct: remembering.metadata.conduct) { cache, _ in
      var result = cache.operations
      let get = result.get
      result.get = { key in
        get(key).flatMapOutcome { $0.error is Absence ? .miss : Promise(outcome: $0) }
      }
      return result
    }
  }
}
