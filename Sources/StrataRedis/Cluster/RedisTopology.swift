/// The servers of a cluster, and the owner of each slot.
struct RedisTopology: Sendable, Equatable {
  /// A primary and its replicas.
  struct Shard: Sendable, Equatable {
    let primary: RedisAddress.Endpoint
    var replicas: [RedisAddress.Endpoint] = []
  }

  private(set) var shards: [Shard] = []
  /// The index of each slot's shard, or `-1` if the shard is unknown.
  private var owners = [Int16](repeating: -1, count: RedisSlot.count)

  /// The request whose reply describes the topology.
  static let request = ["CLUSTER", "SLOTS"].map { Array($0.utf8) }

  /// The largest number of primaries, which is the largest that Redis recommends for a cluster. The
  /// client has a connection to each of them.
  static let mostShards = 1_000

  /// Creates a topology without servers.
  init() {}

  /// Parses a reply from a server. Returns `nil` if the reply isn't a topology.
  ///
  /// - Parameter server: The server that sent the reply, in which its own host name may be missing.
  init?(_ reply: RedisReply, from server: RedisAddress.Endpoint) {
    guard case .list(let ranges) = reply, !ranges.isEmpty else { return nil }
    for range in ranges {
      guard let elements = range.elements, elements.count >= 3,
        case .integer(let first) = elements[0], case .integer(let last) = elements[1],
        0 <= first, first <= last, last < RedisSlot.count
      else { return nil }
      let servers = elements[2...].compactMap { Self.endpoint($0, from: server) }
      guard let primary = servers.first else { continue }
      guard let index = index(of: primary) else { return nil }
      shards[index].replicas = Array(servers.dropFirst())
      owners.withUnsafeMutableBufferPointer {
        $0[Int(first)...Int(last)].update(repeating: Int16(index))
      }
    }
  }

  /// The shard of a slot, or `nil` if the shard is unknown.
  subscript(slot: Int) -> Shard? { owners[slot] < 0 ? nil : shards[Int(owners[slot])] }

  /// Changes the owner of a slot, unless there are already as many primaries as possible.
  mutating func move(_ slot: Int, to primary: RedisAddress.Endpoint) {
    if let index = index(of: primary) { owners[slot] = Int16(index) }
  }

  private mutating func index(of primary: RedisAddress.Endpoint) -> Int? {
    if let index = shards.firstIndex(where: { $0.primary == primary }) { return index }
    guard shards.count < Self.mostShards else { return nil }
    shards.append(Shard(primary: primary))
    return shards.count - 1
  }

  private static func endpoint(
    _ reply: RedisReply, from server: RedisAddress.Endpoint
  ) -> RedisAddress.Endpoint? {
    guard let elements = reply.elements, elements.count >= 2,
      case .integer(let number) = elements[1], let port = UInt16(exactly: number), port > 0
    else { return nil }
    return server.with(host: elements[0].string ?? "", port: port)
  }
}

extension RedisAddress.Endpoint {
  /// Returns the endpoint that this server names in a reply. An empty host or `?` means the host of
  /// this server.
  func with(host: String, port: UInt16) -> RedisAddress.Endpoint {
    guard host.isEmpty || host == "?", case .tcp(let own, _) = self else {
      return .tcp(host: host, port: port)
    }
    return .tcp(host: own, port: port)
  }
}

/// An instruction from a server to send a request to a different server.
struct RedisRedirect: Equatable {
  let endpoint: RedisAddress.Endpoint
  /// Whether only this request should go to the other server, because the slot is still being
  /// moved.
  let isAsking: Bool

  /// Parses the error `MOVED SLOT HOST:PORT` or `ASK SLOT HOST:PORT`.
  init?(_ error: RedisError, from server: RedisAddress.Endpoint) {
    guard case .server(let code, let message) = error, code == "MOVED" || code == "ASK",
      let address = message.split(separator: " ").dropFirst().first,
      let colon = address.lastIndex(of: ":"),
      let port = UInt16(address[address.index(after: colon)...]), port > 0
    else { return nil }
    endpoint = server.with(host: String(address[..<colon]), port: port)
    isAsking = code == "ASK"
  }
}
