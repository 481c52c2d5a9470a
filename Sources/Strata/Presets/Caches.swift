import Foundation

/// Caches ready made: memory over disk over network, with one load a key.
///
///     let articles = Caches.json(Article.self)
///     let article = try await articles.value(for: url)
///
/// Each call makes a new cache, with a memory of its own, over the one store that all caches of its
/// folder share; the `shared` ones are made once. What lies on disk is what the origin sent, so all
/// presets may share a folder. Levels of one's own are put together in one expression as well: see
/// `plan` for what each of these is.
public enum Caches {
  /// The cache of ``data(_:in:memoryCapacity:diskCapacity:session:offline:)`` that all share.
  public static let sharedData = data()

  /// The cache of ``json(_:in:memoryCapacity:diskCapacity:session:offline:)`` that all share.
  public static let sharedJSON = json()

  /// Makes a cache of bytes by their URL.
  ///
  /// - Parameters:
  ///   - name: The name of the folder of the disk level.
  ///   - directory: Where the folder is made; `Strata` in the user's caches directory unless told
  ///     otherwise.
  ///   - memoryCapacity: In bytes; 64 MiB unless told otherwise.
  ///   - diskCapacity: In bytes; 100 MB unless told otherwise.
  ///   - session: Holds the connections.
  ///   - offline: Whether the network is not to be asked for a URL, which is a miss then.
  /// - Returns: A cache that knows a URL by its absolute form, as do the others.
  public static func data(
    _ name: String = "default", in directory: URL? = nil, memoryCapacity: Int = 64 << 20,
    diskCapacity: Int = 100_000_000, session: NetworkSession = .shared,
    offline: (@Sendable (URL) throws -> Bool)? = nil
  ) -> Cache<URL, Data> {
    let disk = Cache<String, Data>.disk(name, in: directory, capacity: diskCapacity)
    return \.absoluteURL
      <^> (.memory(capacity: memoryCapacity, cost: .bytes)
        + (\.absoluteString <^> disk + network(session, offline)).pooled())
  }

  /// Makes a cache of values that are JSON at the origin, by their URL.
  ///
  /// A value is decoded once and kept decoded in memory. What does not decode is a failure of its
  /// level alone: a record of an older model is replaced by what the network answers.
  ///
  /// - Parameters:
  ///   - type: The type of the values.
  ///   - name: The name of the folder of the disk level.
  ///   - directory: As for bytes.
  ///   - memoryCapacity: In values; 1,000 unless told otherwise.
  ///   - diskCapacity: In bytes; 100 MB unless told otherwise.
  ///   - session: Holds the connections.
  ///   - offline: Whether the network is not to be asked for a URL, which is a miss then.
  public static func json<Value: Codable & Sendable>(
    _ type: Value.Type, _ name: String = "default", in directory: URL? = nil,
    memoryCapacity: Int = 1000, diskCapacity: Int = 100_000_000,
    session: NetworkSession = .shared, offline: (@Sendable (URL) throws -> Bool)? = nil
  ) -> Cache<URL, Value> {
    decoded(
      .json(), above: .disk(name, in: directory, capacity: diskCapacity),
      network(session, offline), memory: .memory(capacity: memoryCapacity))
  }

  /// Makes a cache of JSON without a model, by its URL.
  ///
  /// - Parameters:
  ///   - name: The name of the folder of the disk level.
  ///   - directory: As for bytes.
  ///   - memoryCapacity: In values; 1,000 unless told otherwise.
  ///   - diskCapacity: In bytes; 100 MB unless told otherwise.
  ///   - session: Holds the connections.
  ///   - offline: Whether the network is not to be asked for a URL, which is a miss then.
  public static func json(
    _ name: String = "default", in directory: URL? = nil, memoryCapacity: Int = 1000,
    diskCapacity: Int = 100_000_000, session: NetworkSession = .shared,
    offline: (@Sendable (URL) throws -> Bool)? = nil
  ) -> Cache<URL, JSONValue> {
    decoded(
      .jsonValue, above: .disk(name, in: directory, capacity: diskCapacity),
      network(session, offline), memory: .memory(capacity: memoryCapacity))
  }

  static func network(
    _ session: NetworkSession, _ offline: (@Sendable (URL) throws -> Bool)?
  ) -> Fetcher<URL, Data> {
    let network: Fetcher<URL, Data> = .network(session: session)
    return offline.map { network.skipping($0) } ?? network
  }

  /// Memory of decoded values over bytes on disk over bytes from elsewhere.
  static func decoded<Value>(
    _ codec: Codec<Data, Value>, above disk: Cache<String, Data>, _ network: Fetcher<URL, Data>,
    memory: Cache<URL, Value>
  ) -> Cache<URL, Value> {
    let original = Original.reading(codec)
    let loaded = (\.absoluteString <^> disk <*> original + network <*> original).pooled()
    return \.absoluteURL <^> (memory + loaded <*> Original.value(codec))
  }
}

/// A value beside the bytes that it was read from, so that these are stored as they came.
private struct Original<Value: Sendable>: Sendable {
  let bytes: Data
  let value: Value

  static func reading(_ codec: Codec<Data, Value>) -> Codec<Data, Original> {
    Codec(
      label: codec.label,
      decode: { bytes in codec.decode(bytes).map { Original(bytes: bytes, value: $0) } },
      encode: { Promise($0.bytes) })
  }

  static func value(_ codec: Codec<Data, Value>) -> Codec<Original, Value> {
    Codec(
      label: "value", decode: { Promise($0.value) },
      encode: { value in codec.encode(value).map { Original(bytes: $0, value: value) } })
  }
}
