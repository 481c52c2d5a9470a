import Foundation

extension Cache where Key == URL, Value == URL {
  /// Returns a level of files. A value is the URL of a file in the storage's directory.
  ///
  /// Use it for bodies that shouldn't pass through memory, such as episodes, maps, or models.
  /// `StrataHTTP` downloads into it:
  ///
  ///     let storage = FileStorage("episodes", capacity: 2_000_000_000)
  ///     let episodes: Cache<URL, URL> = .files(storage) + .downloads(into: storage)
  ///
  /// A `set` links the file into the directory, so both names share the bytes: delete the original
  /// if you like, but don't change it. A file of another volume is copied, a part at a time. The
  /// returned file exists until the value is evicted, replaced, or removed. Even then, a program
  /// that has opened the file can read it to the end.
  ///
  /// - Parameters:
  ///   - storage: The storage of the level.
  ///   - offMainThread: Whether operations that are called on the main thread run on another one. The
  ///     default is `true`.
  /// - Returns: A cache whose writes can fail with ``DiskError``. A `set` that fails leaves the
  ///   previous value. But if the file is larger than the capacity, the `set` removes the previous
  ///   value. When the directory can't be read, each get is a miss.
  /// - Complexity: A few system calls for a get. A write also reads the directory.
  /// - Law: A level of files satisfies `Laws.level`. See `FileStorageTests`.
  public static func files(_ storage: FileStorage, offMainThread: Bool = true) -> Cache {
    let (directory, queue, work) = (storage.directory, storage.queue, RunningWork(.stores, "files"))
    @Sendable func run<Result>(_ body: @escaping @Sendable () throws -> Result) -> Promise<Result> {
      guard offMainThread, MainThread.isCurrent else { return Promise(catching: body) }
      return .begun(DispatchQueue.work.worker) { Promise(catching: body) }
    }
    @Sendable func write(_ key: URL?, _ body: @escaping @Sendable () throws -> Void) -> Promise<
      Void
    > {
      work.run {
        queue.write(key.map { KeyVersions.hash($0) }) {
          guard offMainThread, MainThread.isCurrent else {
            let end = Promise(catching: body)
            return (end, end)
          }
          return KeyedQueue.begun(DispatchQueue.work.worker) { Promise(catching: body) }
        }
      }
    }
    var plan: CachePlan.Arguments = [nil: .bytes(storage.capacity)]
    if !offMainThread { plan["offMainThread"] = .name("false") }
    @Sendable func get(_ key: URL, touches: Bool) -> Promise<URL> {
      work.run {
        queue.read(KeyVersions.hash(key)) {
          run {
            let file = directory.find(FileDirectory.name(of: key), touches: touches)
            guard let file else { throw CacheError.notFound }
            return file
          }
        }
      }
    }
    return Cache(
      get: { get($0, touches: true) },
      set: { key, file in
        write(key) { try directory.adopt(file, as: FileDirectory.name(of: key)) }
      },
      remove: { key in write(key) { try directory.remove(FileDirectory.name(of: key)) } },
      clear: { write(nil) { try directory.removeAll() } },
      memoryWarning: {},
      metadata: CacheMetadata(
        plan: .level("files", .storage, plan),
        works: { works in
          works.add(work)
          works.add(queue.work)
          works.add("files", level: work) {
            let (bytes, values) = directory.size
            return [
              CacheGauge("bytes", bytes, of: directory.capacity), CacheGauge("values", values),
            ]
          }
        }
      ).peeking { get($0, touches: false) })
  }
}
