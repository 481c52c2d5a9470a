extension Cache {
  /// Returns a cache whose values have tags, and the ``Tags`` with which you remove values.
  ///
  ///     let stamped: Cache<String, Stamped<Article>> = .memory()
  ///     let (articles, tags) = stamped.tagged { _, article in ["title:\(article.title)"] }
  ///     try await tags.remove("title:News")
  ///
  /// The marks of removed tags are in memory. For a level that outlives the process, or that other
  /// processes use, see ``Tags/init(in:clockDifference:clock:)`` and ``tagged(by:_:)``.
  ///
  /// - Parameter tags: A pure function that returns the tags of a value. See ``tagged(by:_:)``.
  public func tagged<Plain>(
    _ tags: @escaping @Sendable (Key, Plain) -> [String]
  ) -> (cache: Cache, tags: Tags) where Value == Stamped<Plain> {
    let marks = Tags(clock: clock)
    return (tagged(by: marks, tags), marks)
  }

  /// Returns a cache whose values have tags.
  ///
  /// When one of a value's tags is removed, the value becomes absent: the next get is a miss, and
  /// removes it from the level. Tags aren't stored, so records stay as they are, and a new version
  /// of your program can compute other tags for old values. Apply this verb to the sum of all
  /// levels that store stamped values, before you apply the verb that adds the stamps:
  ///
  ///     let tags = Tags()
  ///     let stamped: Cache<String, Stamped<Data>> = .memory()
  ///     let pages = stamped.tagged(by: tags) { key, _ in [String(key.prefix { $0 != "/" })] }
  ///       .expiring(after: .seconds(3600)) + network
  ///     try await tags.remove("news")  // "news/today" and "news/sport" are loaded again.
  ///
  /// If you put a further level above the returned cache, such as another memory level, that level
  /// doesn't know the tags. After a removal, it still returns its own copies of the values.
  ///
  /// When one of the value's tags is removed during its load, a sum doesn't store the value. In a
  /// pool, gets that begin after the removal don't join this load.
  ///
  /// - Parameters:
  ///   - tags: The tags. Several caches can share them.
  ///   - function: A pure function that returns the tags of a value. It runs for each `set`, and
  ///     for each get of a value that isn't newer than all removals. A get calls it on the thread
  ///     that delivers the value.
  /// - Complexity: A hit reads two atomic words if no tag was removed since its value was stored.
  ///   Otherwise, it calls `function` and looks up each tag.
  /// - Law: `a.tagged { _, _ in [] } == a`, and removing a tag that all values have is `clear`. See
  ///   `tags.none`, `tags.everything`, `tags.visible`, and `tags.loads` in `TagLaws`.
  @inlinable
  public func tagged<Plain>(
    by tags: Tags, _ function: @escaping @Sendable (Key, Plain) -> [String]
  ) -> Cache where Value == Stamped<Plain> {
    tagged(Tagging(tags, function)) { below, tagging in
      { key in
        guard tagging.queue.isQuiet else { return tagging.getInOrder(key, below) }
        let answer = below.get(key)
        if case .success(let entry) = answer.state, tagging.newest.isBefore(entry.storedAt) {
          return answer
        }
        return tagging.checked(key, answer, below)
      }
    }
  }

  /// - Parameters:
  ///   - ticket: The state of the marks when the load began, for a back-fill. For other writes,
  ///     it's `nil`.
  ///   - get: A closure that gets a value. Each caller passes a separate closure, so the compiler
  ///     can specialize the code for a hit.
  @usableFromInline
  func tagged<Plain>(
    _ tagging: Tagging<Key, Plain>, since ticket: UInt64? = nil,
    get: @escaping Tagging<Key, Plain>.Get
  ) -> Cache where Value == Stamped<Plain> {
    let tagging = tagging.reading(in: metadata.reads)
    let isShared = tagging.tags.marks is SharedMarks
    let result = transforming(
      .verb(plan, .tagged),
      conduct: isShared ? metadata.conduct.delayed() : metadata.conduct.slower,
      bulk: { isShared ? nil : tagging.checking($0, self.operations) }
    ) { cache, _ in
      let below = cache.operations
      return CacheOperations(
        get: get(below, tagging),
        set: { key, value in tagging.set(key, value, since: ticket, below) },
        remove: { key in
          tagging.queue.write(KeyVersions.hash(key), preparing: Promise()) { below.remove(key) }
        },
        clear: { tagging.queue.write(nil, preparing: Promise()) { below.clear() } },
        memoryWarning: below.memoryWarning, dropLoad: below.dropLoad,
        expire: { key in
          tagging.queue.write(key.map(KeyVersions.hash), preparing: Promise()) {
            below.expire(key)
          }
        })
    }
    guard ticket == nil, !metadata.isReadOnly else { return result }
    return result.with { properties in
      properties.tickets = self.tickets(tagging, get)
      properties.rebuilding = { change in
        switch change {
        case .clocked: nil
        case .reporting, .reading: self.changed(by: change).tagged(tagging, get: get)
        case .awaited, .writesWithin:
          metadata.conduct.isSum ? self.changed(by: change).tagged(tagging, get: get) : nil
        }
      }
    }
  }

  /// Returns the tickets of the tagged cache. Each contains the state of the marks when the load
  /// began. If the cache below the tags has tickets, it also contains such a ticket.
  private func tickets<Plain>(
    _ tagging: Tagging<Key, Plain>, _ get: @escaping Tagging<Key, Plain>.Get
  ) -> Tickets<Key, Value> where Value == Stamped<Plain> {
    let below = metadata.tickets
    return Tickets { key, rejects in
      tagging.tags.marks.begin().flatMap { begin in
        guard let below else { return Promise(TagTicket(begin: begin, below: nil)) }
        // A tag may have been removed, so this cache may have a value that `tagged` rejects.
        return below.take(key, true).map { $0.map { TagTicket(begin: begin, below: $0) } }
      }
    } filling: { ticket in
      let ticket = ticket as? TagTicket
      let filled = ticket?.below.flatMap { below?.filling($0) } ?? self
      return filled.tagged(tagging, since: ticket?.begin ?? 0, get: get)
    }
  }
}

/// The ticket of a tagged cache.
private struct TagTicket: Sendable {
  let begin: UInt64
  let below: (any Sendable)?
}

extension CachePlan.Kind {
  /// The kind of `tagged(by:_:)`.
  package static let tagged: Self = "tagged"
}
