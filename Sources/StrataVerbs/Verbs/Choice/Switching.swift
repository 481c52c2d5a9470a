import Foundation

/// The branch that a key belongs to. See ``Cache/switching(_:_:by:)``.
public enum CacheBranch: Hashable, Sendable {
  /// The first cache.
  case first
  /// The second cache.
  case second
}

extension Cache {
  /// Returns a cache with two branches. For each key, a function chooses one of them.
  ///
  /// A `get`, `set`, or `remove` reaches only the branch of its key. But a `clear` or a memory
  /// warning reaches first one branch, and then the other. While a `clear` runs, another thread
  /// might see its effect in only one branch. When one branch hangs, the keys of the other still
  /// work with `get`, `set`, and `remove`. To make a branch read-only, pass the ``fetcher`` of its
  /// cache, such as `disk.fetcher`.
  ///
  ///     let store = Cache.switching(disk, memory) { key in
  ///       key.hasPrefix("draft/") ? .second : .first
  ///     }
  ///
  /// - Parameters:
  ///   - first: The first branch.
  ///   - second: The second branch.
  ///   - branch: A pure function that returns the branch of a key. It runs once for each `get`,
  ///     `set`, and `remove`, on the caller's thread. If it isn't pure, a get might not find a
  ///     stored value. When it throws, the operation fails with that error and reaches neither
  ///     branch. In a sum, if a branch is a Redis level, a get may call the function again, on any
  ///     thread. If the returned cache is the origin of an HTTP cache, each request calls the
  ///     function once more.
  /// - Complexity: O(1). Hits don't allocate.
  /// - Law: `.switching(a, b) { _ in .first }` behaves like `a`, and `.switching(a, a, by: f) == a`
  ///   if operations don't overlap. See `branches.first`, `branches.same`, and the other laws of
  ///   `Laws.branches`, checked by `BranchLaws`.
  public static func switching(
    _ first: Cache, _ second: Cache, by branch: @escaping @Sendable (Key) throws -> CacheBranch
  ) -> Cache {
    let isReadOnly = first.metadata.isReadOnly && second.metadata.isReadOnly
    let operations = CacheOperations.switching(
      first.operations, second.operations, isReadOnly: isReadOnly, by: branch)
    let (one, other) = (first.metadata, second.metadata)
    var properties = CacheMetadata<Key, Value>(
      plan: .branches("switching", [first.plan, second.plan]), isReadOnly: isReadOnly
    ).properties
    properties.clock = one.clock ?? other.clock
    (properties.forget, properties.expire) = (operations.dropLoad, operations.expire)
    if let one = one.properties.listing, let other = other.properties.listing {
      properties.listing = { one() + other() }
    }
    properties.works = { works in
      works.add(of: first)
      works.add(of: second)
    }
    properties.source = .either(first.source, second.source, by: branch)
    properties.conduct = one.conduct.joined(other.conduct)
    if one.properties.awaitedBound != nil || other.properties.awaitedBound != nil {
      properties.awaitedBound = max(one.bound, other.bound)
    }
    let isSum = properties.conduct.isSum
    properties.rebuilding = { change in
      switch change {
      case .reporting, .reading: break
      default: if !isSum { return nil }
      }
      return .switching(first.changed(by: change), second.changed(by: change), by: branch)
    }
    if one.tickets != nil || other.tickets != nil {
      properties.tickets = Tickets(
        take: { key, rejects in
          do {
            let metadata = try branch(key) == .first ? one : other
            return metadata.tickets?.take(key, rejects) ?? Promise(NoTicket())
          } catch { return Promise(error: error) }
        },
        filling: { ticket in
          .switching(
            one.tickets.map { $0.filling(ticket) } ?? first,
            other.tickets.map { $0.filling(ticket) } ?? second, by: branch)
        })
    }
    return Cache(operations, metadata: CacheMetadata(properties))
  }
}

extension CacheSource {
  /// Returns the source of a cache that reads one of two caches for each key. A cache that doesn't
  /// know its requests adds no fields.
  fileprivate static func either(
    _ first: CacheSource, _ second: CacheSource,
    by branch: @escaping @Sendable (Key) throws -> CacheBranch
  ) -> CacheSource {
    let unchanged = (CacheSource<URLRequest>.unchanged as? CacheSource)?.request
    guard first.request != nil || second.request != nil,
      let one = first.request ?? unchanged, let other = second.request ?? unchanged
    else { return CacheSource() }
    return CacheSource(request: { key in
      do { return try branch(key) == .first ? one(key) : other(key) } catch {
        return Promise(error: error)
      }
    })
  }
}

/// The ticket of a branch that needs no ticket.
private struct NoTicket {}

extension CacheOperations {
  fileprivate static func switching(
    _ first: CacheOperations, _ second: CacheOperations, isReadOnly: Bool,
    by branch: @escaping @Sendable (Key) throws -> CacheBranch
  ) -> CacheOperations {
    @Sendable func choose<Result>(
      _ key: Key, _ body: (CacheOperations) -> Promise<Result>
    ) -> Promise<Result> {
      do { return body(try branch(key) == .first ? first : second) } catch {
        return Promise(error: error)
      }
    }
    @Sendable func write(
      _ key: Key, _ body: (CacheOperations) -> Promise<Void>
    ) -> Promise<Void> {
      do { return body(try branch(key) == .first ? first : second) } catch {
        return isReadOnly ? Promise() : Promise(error: error)
      }
    }
    return CacheOperations(
      get: { key in choose(key) { $0.get(key) } },
      set: { key, value in write(key) { $0.set(key, value) } },
      remove: { key in write(key) { $0.remove(key) } },
      clear: { .joint([first.clear(), second.clear()]) },
      memoryWarning: {
        first.memoryWarning()
        second.memoryWarning()
      },
      dropLoad: { key in
        guard let key else {
          first.dropLoad(nil)
          return second.dropLoad(nil)
        }
        if let branch = try? branch(key) { (branch == .first ? first : second).dropLoad(key) }
      },
      expire: { key in
        guard let key else { return .joint([first.expire(nil), second.expire(nil)]) }
        return write(key) { $0.expire(key) }
      })
  }
}
