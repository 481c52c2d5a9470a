import StrataCore

extension RedisCluster /* : the topology */ {
  private static let shortestRefresh: Int64 = 50_000_000
  static let longestRefresh: Int64 = 10_000_000_000

  /// The most servers that one read of the topology tries.
  private static let mostServers = 4

  /// Reads the topology again, at most once every 50 ms.
  ///
  /// - Parameter server: The server to read the topology from, or `nil` for any known server. If it
  ///   doesn't answer, others are tried.
  func refresh(from server: RedisAddress.Endpoint? = nil) {
    let now = runningNanoseconds()
    let servers = state.withLock { state -> [RedisAddress.Endpoint]? in
      guard !state.isRefreshing, !state.isClosed, state.refreshed + Self.shortestRefresh <= now
      else { return nil }
      state.isRefreshing = true
      state.refreshes += 1
      let all = Self.unique(state.topology.shards.map(\.primary) + seeds)
      let first = state.refreshes % all.count
      return Self.unique([server].compactMap { $0 } + all[first...] + all[..<first])
    }
    if let servers { readTopology(from: servers.prefix(Self.mostServers), by: deadline) }
  }

  /// Returns each server once, in the order of the first occurrences.
  static func unique(_ servers: [RedisAddress.Endpoint]) -> [RedisAddress.Endpoint] {
    var seen: Set<RedisAddress.Endpoint> = []
    return servers.filter { seen.insert($0).inserted }
  }

  /// Reads the topology from the first server that answers. The servers share the time.
  private func readTopology(from servers: ArraySlice<RedisAddress.Endpoint>, by deadline: Int64) {
    guard let endpoint = servers.first, !state.withLock({ $0.isClosed }) else {
      return state.withLock { state in
        state.isRefreshing = false
        state.refreshed = runningNanoseconds()
      }
    }
    let request = RedisClosureRequest(
      .command { $0.request(RedisTopology.request) }, isRepeatable: true,
      deadline: share(of: deadline, servers.count), size: 0
    ) { [weak self] answer, _ in
      guard let self else { return }
      var rest = servers.dropFirst()
      if case .success(let reply) = answer, RedisTopology(reply, from: endpoint) != nil {
        receive(reply, from: endpoint)
        rest = []
      }
      Trampoline.run { self.readTopology(from: rest, by: deadline) }
    }
    connection(to: Node(endpoint: endpoint)).send(request)
  }

  /// Stores the topology in a reply, and connects to its servers. Disconnects from all others. But if
  /// the topology hasn't changed, keeps the initial servers, which may have other names in it, and the
  /// servers to which a redirect has led lately. Otherwise, the client would connect to them again
  /// and again, and each new connection interrupts the reports of writes.
  func receive(_ reply: RedisReply, from server: RedisAddress.Endpoint) {
    guard let topology = RedisTopology(reply, from: server) else { return }
    let isNew = state.withLock { $0.topology != topology }
    var nodes = Set(topology.shards.map { Node(endpoint: $0.primary) })
    if readsReplicas {
      let replicas = topology.shards.flatMap(\.replicas)
      nodes.formUnion(replicas.map { Node(endpoint: $0, isReplica: true) })
    }
    if isNew {
      for node in nodes { _ = connection(to: node) }
    } else {
      let early = runningNanoseconds() - Self.longestRefresh
      let late = state.withLock { state in
        state.redirects = state.redirects.filter { $0.value > early }
        return state.redirects.keys
      }
      nodes.formUnion(seeds.map { Node(endpoint: $0) } + late)
    }
    // Releases the removed connections after unlocking, because that may end their threads.
    _ = state.withLock { state in
      state.topology = topology
      defer { state.connections = state.connections.filter { nodes.contains($0.key) } }
      return state.connections.filter { !nodes.contains($0.key) }
    }
  }
}
