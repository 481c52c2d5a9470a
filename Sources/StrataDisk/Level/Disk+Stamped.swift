import Foundation

extension Cache where Key == String, Value == Stamped<Data> {
  /// Returns a level on disk that stores each value with its creation time and deadline.
  ///
  /// The compiler selects this overload for values of the type `Stamped<Data>`. To decode them, add
  /// `<*> .stamped(codec)`. A value is invalid if its deadline has passed, or if its creation time
  /// is more than 60 seconds in the future. An invalid value is never decoded: its get misses, and
  /// an eviction discards it. If you set one, the key's old value is removed. Times are rounded
  /// down to milliseconds, so a value may expire up to a millisecond early, but never late.
  ///
  ///     let pages: Cache<URL, Stamped<String>> =
  ///       .memory() + \.absoluteString <^> .disk("pages") <*> .stamped(.utf8)
  ///
  /// A disk level of plain `Data` values stores no deadlines, so the values that it has written
  /// never expire.
  ///
  /// - Parameters:
  ///   - name: The directory's name. Any string is valid, and the path stays inside `directory`.
  ///   - directory: The file URL of the parent directory. The default is `Strata` in the user's
  ///     caches directory.
  ///   - capacity: The capacity in bytes. By default, it's 100 MB.
  ///   - clock: The clock for the level and verbs applied to it. By default, it's the system clock.
  ///   - offMainThread: Whether operations that are called on the main thread run on another one.
  ///     If so, codecs above the level don't process values of more than 512 bytes on the main
  ///     thread, either. The default is `true`.
  /// - Law: A back-fill preserves the creation time and the deadline to the millisecond. See
  ///   `StampedDiskTests`.
  public static func disk(
    _ name: String, in directory: URL? = nil, capacity: Int = 100_000_000,
    clock: TimeSource = .system, offMainThread: Bool = true
  ) -> Cache {
    disk(
      DiskStorage(name, in: directory, capacity: capacity), clock: clock,
      offMainThread: offMainThread)
  }

  /// Returns a level that stores values in a `DiskStorage`, with creation times and deadlines.
  ///
  ///     let storage = DiskStorage("pages", capacity: 500_000_000)
  ///     let pages: Cache<String, Stamped<Data>> = .disk(storage)
  ///
  /// - Parameters:
  ///   - storage: The storage of the level.
  ///   - clock: The clock for the level and verbs applied to it. By default, it's the system clock.
  ///   - offMainThread: Whether operations that are called on the main thread run on another one.
  ///     The default is `true`.
  public static func disk(
    _ storage: DiskStorage, clock: TimeSource = .system, offMainThread: Bool = true
  ) -> Cache {
    disk(
      storage.log,
      format: DiskValueFormat(
        value: { stored in
          Stamped(
            stored.value, storedAt: .init(milliseconds: stored.created),
            expiresAt: stored.deadline == .max ? nil : .init(milliseconds: stored.deadline))
        },
        record: { stamped, _ in
          stamped.isValid(at: clock.now())
            ? StoredValue(
              value: stamped.value, created: stamped.storedAt.milliseconds,
              deadline: stamped.expiresAt?.milliseconds ?? .max) : nil
        },
        now: { clock.now().milliseconds }),
      plan: .disk(storage.capacity, offMainThread)
    ).clocked(by: clock)
  }
}
