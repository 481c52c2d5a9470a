import Foundation

extension MemoryStorage /* : saving */ {
  /// Saves the values, so that a later run of the program can begin with a warm level.
  ///
  ///     let storage = MemoryStorage<Int, String>(capacity: 10_000)
  ///     let moved = try await storage.save(
  ///       into: .disk("warm"), keys: .json(), values: .json(), within: .seconds(5))
  ///
  /// The values are saved in the order of `hottest(_:)`, in pages of about 64 KiB, while other
  /// threads use the level. An earlier save with the same name stays valid until the last page of
  /// the new one is stored. Then the earlier save's pages are removed. The policy's own data isn't
  /// saved.
  ///
  /// - Parameters:
  ///   - cache: A cache of bytes, such as a separate disk level.
  ///   - name: The beginning of the keys in `cache`. The default is `memory`. Two saves with the
  ///     same name must not run at the same time.
  ///   - keys: The codec for the keys.
  ///   - values: The codec for the values. A codec for stamped values should keep the stamps, as
  ///     `.json()` does. See also the overload with `.stamped(codec)`.
  ///   - bytes: The maximum number of bytes to save. By default, all values are saved.
  ///   - time: The maximum duration of the save, on the clock of the storage. The default is ten
  ///     seconds. After nine tenths of this time, the save ends with the values that it has
  ///     collected, and these can be loaded.
  /// - Throws: The error of `cache`, or `CacheError.timedOut` if an operation of
  ///   `cache` hasn't ended when the time is over. Throws ``IncompleteSave`` if `cache` hasn't kept
  ///   what was written, for example because it's too small. In all these cases, the earlier save
  ///   stays valid, unless the cache has evicted it.
  /// - Law: After a load, a get returns a value that the storage held during the save, or misses.
  ///   See `warm.values` in `Laws.warmStarts`, checked by `WarmStartLaws`.
  @discardableResult
  public nonisolated(nonsending) func save(
    into cache: Cache<String, Data>, named name: String = "memory", keys: Codec<Data, Key>,
    values: Codec<Data, Value>, bytes: Int = .max, within time: Duration = .seconds(10)
  ) async throws -> MemoryTransfer {
    try await save(into: cache, named: name, keys: keys, values: .unstamped(values), bytes, time)
  }

  /// Saves stamped values with a codec for the plain values: `values: .stamped(.json())`.
  ///
  /// See `save(into:keys:values:)`. The save keeps ages and deadlines.
  @discardableResult
  public nonisolated(nonsending) func save(
    into cache: Cache<String, Data>, named name: String = "memory", keys: Codec<Data, Key>,
    values: Codec<Stamped<Data>, Value>, bytes: Int = .max, within time: Duration = .seconds(10)
  ) async throws -> MemoryTransfer {
    try await save(into: cache, named: name, keys: keys, values: values, bytes, time)
  }

  private nonisolated(nonsending) func save(
    into cache: Cache<String, Data>, named name: String, keys: Codec<Data, Key>,
    values: Codec<Stamped<Data>, Value>, _ limit: Int, _ time: Duration
  ) async throws -> MemoryTransfer {
    let deadline = WarmDeadline(after: time, clock: clock)
    do {
      return try await save(into: cache, named: name, keys: keys, values: values, limit, deadline)
    } catch is WarmDeadline.Passed {
      throw CacheError.timedOut(after: time)
    }
  }

  private nonisolated(nonsending) func save(
    into cache: Cache<String, Data>, named name: String, keys: Codec<Data, Key>,
    values: Codec<Stamped<Data>, Value>, _ limit: Int, _ deadline: WarmDeadline
  ) async throws -> MemoryTransfer {
    let earlier = try await deadline.found(cache.get(name)).flatMap { WarmIndex($0) }
    let number = UInt64.random(in: 1 ... .max)
    store.written?.beginSave(number)
    var index = WarmIndex(save: number, slot: earlier?.slot == 0 ? 1 : 0, pages: 0)
    var (page, moved) = (WarmPage(save: number), MemoryTransfer())
    for key in hottestKeys() {
      guard !deadline.isNear else {
        moved.isComplete = false
        break
      }
      guard let value = store.value(for: key, .peek) else { continue }
      guard let bytes = try await deadline.converted(keys.encode(key)),
        let stored = try await deadline.converted(values.encode(value)),
        page.accepts(bytes, stored.value)
      else {
        if !deadline.isPassed { moved.skipped += 1 }
        continue
      }
      guard moved.bytes + WarmPage.size(bytes, stored.value) <= limit else {
        moved.isComplete = false
        break
      }
      page.append(bytes, stored)
      moved.values += 1
      moved.bytes += WarmPage.size(bytes, stored.value)
      guard page.isFull else { continue }
      try await deadline.value(of: cache.set(index.key(of: index.pages, name), page.sealed))
      index.pages += 1
      page = WarmPage(save: number)
    }
    // A save whose time was over before its first value doesn't replace an earlier one.
    if !moved.isComplete, moved.values == 0, earlier != nil { return moved }
    if !page.isEmpty {
      try await deadline.value(of: cache.set(index.key(of: index.pages, name), page.sealed))
      index.pages += 1
    }
    try await check(index, in: cache, named: name, deadline)
    try await deadline.value(of: cache.set(name, index.bytes))
    do {
      guard try await deadline.found(cache.get(name)) == index.bytes else {
        throw IncompleteSave(pages: index.pages, lost: index.pages)
      }
      for old in 0..<(earlier?.pages ?? 0) {
        try await deadline.value(of: cache.remove(earlier!.key(of: old, name)))
      }
    } catch let error as IncompleteSave { throw error } catch {}  // The new save is already valid.
    return moved
  }

  /// Throws an error if the cache has lost pages. A cache can evict a page without an error, and some
  /// caches store nothing. When the time is nearly over, the remaining pages aren't checked.
  private nonisolated(nonsending) func check(
    _ index: WarmIndex, in cache: Cache<String, Data>, named name: String, _ deadline: WarmDeadline
  ) async throws {
    var lost = 0
    for page in 0..<index.pages where !deadline.isNear {
      let bytes = try await deadline.found(cache.get(index.key(of: page, name)))
      if !WarmPage.isPage(bytes, savedBy: index.save) { lost += 1 }
    }
    if lost > 0 { throw IncompleteSave(pages: index.pages, lost: lost) }
  }

  /// Returns the keys, the hottest first. The values of a page are read when the page is written.
  private func hottestKeys() -> [Key] {
    var keys: [(heat: Int, key: Key)] = []
    store.forEach(store.listed) { keys.append(($0.heat, $0.key)) }
    keys.sort { $0.heat > $1.heat }
    return keys.map(\.key)
  }
}

extension Codec where Stored == Stamped<Data> {
  /// A codec that ignores stamps, for values without them.
  static func unstamped(_ codec: Codec<Data, Value>) -> Codec {
    Codec(
      decode: { stored -> Promise<Value> in codec.decode(stored.value) },
      encode: { value -> Promise<Stamped<Data>> in
        codec.encode(value).map { Stamped($0, storedAt: .init(nanoseconds: 0)) }
      })
  }
}
