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
  ///     seconds.
  /// - Returns: The counts of loaded and skipped values. Nothing is loaded if there is no save.
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
    let (start, clears) = (clock.now(), store.written?.clears ?? 0)
    guard let index = try await WarmIndex.read(from: cache, name) else { return moved }
    for number in 0..<index.pages {
      guard let bytes = try await cache.findValue(for: index.key(of: number, name)),
        let records = WarmPage.records(of: bytes, savedBy: index.save)
      else {
        moved.isComplete = false
        continue
      }
      for record in records {
        let size = WarmPage.size(record.key, record.value.value)
        guard start.duration(to: clock.now()) < time, moved.bytes + size <= limit else {
          moved.isComplete = false
          return moved
        }
        guard let key = try? await keys.decode(record.key).value,
          let value = try? await values.decode(record.value).value
        else {
          moved.skipped += 1
          continue
        }
        switch store.restore(value, for: key, savedBy: index.save, clears: clears) {
        case .stored:
          moved.values += 1
          moved.bytes += size
        case .obsolete: moved.skipped += 1
        case .ended:
          moved.isComplete = false
          return moved
        }
      }
    }
    return moved
  }
}
