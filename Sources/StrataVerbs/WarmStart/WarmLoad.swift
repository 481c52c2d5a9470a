import Foundation

extension MemoryStorage /* : loading */ {
  /// Loads the values of a save, while other threads use the level.
  ///
  ///     let storage = MemoryStorage<Int, String>(capacity: 10_000)
  ///     try await storage.load(from: .disk("warm"), keys: .json(), values: .json())
  ///
  /// - A loaded value never replaces an existing one. When a key was written before or during the
  ///   load, its saved value isn't loaded, even if the written value has been evicted since.
  ///   There's one exception: if this storage itself made the save, writes from before the save
  ///   don't count.
  /// - A load evicts nothing: it ends when the level is full, or when the level is cleared. It
  ///   doesn't change the policy's estimates. Of the loaded values, the policy evicts the coldest
  ///   first.
  /// - Stamped values keep their stamps. The load skips expired values, and pages that are missing
  ///   or damaged.
  ///
  /// - Parameters:
  ///   - cache: The cache into which the values were saved.
  ///   - name: The name of the save. The default is `memory`.
  ///   - keys: The codec for the keys.
  ///   - values: The codec for the values.
  ///   - bytes: The maximum number of bytes to load. By default, all values are loaded.
  ///   - time: The maximum duration of the load, on the clock of the storage. The default is ten
  ///     seconds. After this time, the load ends, even if an operation of `cache` hasn't ended.
  /// - Returns: The counts of loaded and skipped values. If nothing was saved, both are
  ///   zero. The
  ///   load isn't complete if the time didn't suffice, or if something was missing or damaged.
  /// - Throws: The error of `cache`, unless it's a miss.
  /// - Law: A `set` before or during the load takes precedence over the saved value, and the load
  ///   doesn't change ages. See `warm.writes` and `warm.ages` in `Laws.warmStarts`, checked by
  ///   `WarmStartLaws`.
  @discardableResult
  public nonisolated(nonsending) func load(
    from cache: Cache<String, Data>, named name: String = "memory", keys: Codec<Data, Key>,
    values: Codec<Data, Value>, bytes: Int = .max, within time: Duration = .seconds(10)
  ) async throws -> MemoryTransfer {
    try await load(from: cache, named: name, keys: keys, values: .unstamped(values), bytes, time)
  }

  /// Loads stamped values with a codec for the plain values: `values: .stamped(.json())`.
  ///
  /// See ``load(from:named:keys:values:bytes:within:)``. Ages and deadlines don't change.
  @discardableResult
  public nonisolated(nonsending) func load(
    from cache: Cache<String, Data>, named name: String = "memory", keys: Codec<Data, Key>,
    values: Codec<Stamped<Data>, Value>, bytes: Int = .max, within time: Duration = .seconds(10)
  ) async throws -> MemoryTransfer {
    try await load(from: cache, named: name, keys: keys, values: values, bytes, time)
  }

  private nonisolated(nonsending) func load(
    from cache: Cache<String, Data>, named name: String, keys: Codec<Data, Key>,
    values: Codec<Stamped<Data>, Value>, _ limit: Int, _ time: Duration
  ) async throws -> MemoryTransfer {
    var moved = MemoryTransfer()
    let deadline = WarmDeadline(after: time, clock: clock)
    do {
      try await load(
        from: cache, named: name, keys: keys, values: values, limit, deadline, &moved)
    } catch is WarmDeadline.Passed {
      moved.isComplete = false
    }
    return moved
  }

  private nonisolated(nonsending) func load(
    from cache: Cache<String, Data>, named name: String, keys: Codec<Data, Key>,
    values: Codec<Stamped<Data>, Value>, _ limit: Int, _ deadline: WarmDeadline,
    _ moved: inout MemoryTransfer
  ) async throws {
    let clears = store.written?.clears ?? 0
    guard let bytes = try await deadline.found(cache.get(name)) else { return }
    guard let index = WarmIndex(bytes) else { return moved.isComplete = false }
    for number in 0..<index.pages {
      guard !deadline.isPassed else { return moved.isComplete = false }
      guard let bytes = try await deadline.found(cache.get(index.key(of: number, name))),
        let records = WarmPage.records(of: bytes, savedBy: index.save)
      else {
        moved.isComplete = false
        continue
      }
      for record in records {
        let size = WarmPage.size(record.key, record.value.value)
        guard !deadline.isPassed, moved.bytes + size <= limit else {
          return moved.isComplete = false
        }
        guard let key = try await deadline.converted(keys.decode(record.key)),
          let value = try await deadline.converted(values.decode(record.value))
        else {
          if !deadline.isPassed { moved.skipped += 1 }
          continue
        }
        switch store.restore(value, for: key, savedBy: index.save, clears: clears) {
        case .stored:
          moved.values += 1
          moved.bytes += size
        case .obsolete: moved.skipped += 1
        case .ended: return moved.isComplete = false
        }
      }
    }
  }
}
