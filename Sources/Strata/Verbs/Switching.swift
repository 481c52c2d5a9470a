/// Which of two caches a key belongs to; see ``Cache/switching(_:_:by:)``.
public enum Lane: Hashable, Sendable {
  /// The first cache.
  case first
  /// The second cache.
  case second
}

extension Cache {
  /// Returns a cache of two lanes, each key in one of them.
  ///
  /// A get, set and remove go to the lane of their key and to no other; a clear and a warning go to
  /// both. For a lane that is read only, write `fetcher.cache`.
  ///
  ///     let store = Cache.switching(disk, memory) { key in
  ///       key.hasPrefix("draft/") ? .second : .first
  ///     }
  ///
  /// - Parameters:
  ///   - first: The first lane.
  ///   - second: The second lane.
  ///   - lane: A pure function, or what was set in one lane is not found in the other; called once
  ///     for each get, set and remove, on the caller's thread. If it throws, the call fails with
  ///     its error and neither lane is asked.
  /// - Complexity: O(1). A hit allocates nothing of its own.
  /// - Law: `.switching(a, b) { _ in .first }` answers as `a`, and `.switching(a, a, by: f) == a`
  ///   one operation at a time: `lanes.first`, `lanes.same` and others of `Laws.lanes`; see
  ///   `LaneLaws`.
  @inlinable
  public static func switching(
    _ first: Cache, _ second: Cache, by lane: @escaping @Sendable (Key) throws -> Lane
  ) -> Cache {
    switching(Lanes(first: first, second: second, lane: lane)) { lanes in
      { key in
        do {
          switch try ask(lanes.lane, key) {
          case .first: return ask(lanes.first.get, key)
          case .second: return ask(lanes.second.get, key)
          }
        } catch { return Promise(error: error) }
      }
    }
  }

  /// - Parameter asking: How it is asked: made where the types are known, so that a hit is compiled
  ///   for them.
  @usableFromInline
  static func switching(
    _ lanes: Lanes<Key, Value>,
    asking: @escaping @Sendable (Lanes<Key, Value>) -> @Sendable (Key) -> Promise<Value>
  ) -> Cache {
    Cache(
      get: asking(lanes),
      set: { key, value in lanes.write(key) { $0.set(key, value) } },
      remove: { key in lanes.write(key) { $0.remove(key) } },
      clear: { .joint([lanes.first.clear(), lanes.second.clear()]) },
      memoryWarning: {
        lanes.first.memoryWarning()
        lanes.second.memoryWarning()
      },
      spine: lanes.spine { switching($0, asking: asking) })
  }
}

extension Fetcher {
  /// Returns a fetcher of two lanes, each key in one of them; see ``Cache/switching(_:_:by:)``.
  ///
  ///     let origins = Fetcher.switching(disk.fetcher, memory.fetcher) { key in
  ///       key.hasPrefix("draft/") ? .second : .first
  ///     }
  ///
  /// - Parameters:
  ///   - first: The first lane.
  ///   - second: The second lane.
  ///   - lane: A pure function, called once for each get, on the caller's thread. If it throws, the
  ///     get fails with its error and neither lane is asked.
  /// - Law: `.switching(f, g, by: h)` answers as `Cache.switching(f.cache, g.cache, by: h)`; see
  ///   `SwitchingTests.testFetchersAreLanesToo`.
  public static func switching(
    _ first: Fetcher, _ second: Fetcher, by lane: @escaping @Sendable (Key) throws -> Lane
  ) -> Fetcher {
    Cache.switching(first.cache, second.cache, by: lane).fetcher
  }
}

@usableFromInline
struct Lanes<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  @usableFromInline let first: Cache<Key, Value>
  @usableFromInline let second: Cache<Key, Value>
  @usableFromInline let lane: @Sendable (Key) throws -> Lane

  @usableFromInline
  init(
    first: Cache<Key, Value>, second: Cache<Key, Value>,
    lane: @escaping @Sendable (Key) throws -> Lane
  ) {
    (self.first, self.second, self.lane) = (first, second, lane)
  }

  private func chosen(_ key: Key) throws -> Cache<Key, Value> {
    try lane(key) == .first ? first : second
  }

  func write(_ key: Key, _ write: (Cache<Key, Value>) -> Promise<Void>) -> Promise<Void> {
    do { return write(try chosen(key)) } catch { return Promise(error: error) }
  }

  func spine(
    _ remade: @escaping @Sendable (Lanes) -> Cache<Key, Value>
  ) -> Spine<Key, Value> {
    let isObservable = first.spine.reporting != nil || second.spine.reporting != nil
    let reporting: @Sendable (Reporter) -> Cache<Key, Value> = { reporter in
      remade(
        Lanes(
          first: first.reporting(to: reporter), second: second.reporting(to: reporter), lane: lane))
    }
    return Spine(
      plan: .lanes([first.plan, second.plan]),
      isReadOnly: first.spine.isReadOnly && second.spine.isReadOnly, forget: forget,
      reporting: isObservable ? reporting : nil)
  }

  @Sendable private func forget(_ key: Key?) {
    guard let key else {
      first.spine.forget(nil)
      return second.spine.forget(nil)
    }
    (try? chosen(key))?.spine.forget(key)
  }
}
