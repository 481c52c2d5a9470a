import StrataCore

extension RedisCluster /* : the topology */ {
  private static let shortestRefresh: Int64 = 50_000_000
  static let longestRefresh: Int64 = 10_000_000_000

  /// Reads the topology again, at most once every 50 ms.
  ///
  /// - Parameter server: The server to read the topology from, or `nil` for any known server.
  func refresh(from server: RedisAddress.Endpoint? = nil) {
    let now = runningNanoseconds()
    let endpoint = state.withLock { state -> RedisAddress.Endpoint? in
      guard !state.isRefreshing, !state.isClosed, state.refreshed + Self.shortestRefresh <= now
      else { return nil }
      state.isRefreshing = true
      state.refreshes += 1
      let all = state.topology.shards.map(\.primary) + seeds
      return server ?? all[state.refreshes % all.count]
    }
    guard let endpoint else { return }
    let request = RedisClosureRequest(
      .command { $0.request(RedisTopology.request) }, isRepeatable: true,
      deadline: deadline, size: 0
    ) { [weak self] answer, _ in
      guard let self else { return }
      if case .success(let reply) = answer { receive(reply, from: endpoint) }
      state.withLock { state in
        state.isRefreshing = false
        state.refreshed = runningNanoseconds()
      }
    }
    connection(to: Node(endpoint: endpoint)).send(request)
  }

  /// Stores the topology in a reply, and connects to its servers. Disconnects from all others.
  func receive(_ reply: RedisReply, from server: RedisAddress.Endpoint) {
    guard let topology = RedisTopology(reply, from: server) else { return }
    guard state.withLock({ $0.topology != topology }) else { return }
    var nodes = Set(topology.shards.map { Node(endpoint: $0.primary) })
    if readsReplicas {
      let replicas = topology.shards.flatMap(\.replicas)
      nodes.formUnion(replicas.map { Node(endpoint: $0, isReplica: true) })
    }
    for node in nodes { _ = connection(to: node) }
    // Releases the removed connections after unlocking, because that may end their threads.
    let removed = state.withLock { state in
      state.topology = topology
      defer { state.connections = state.connections.filter { nodes.contains($0.key) } }
      return state.connections.filter { !nodes.contains($0.key) }
    }
    _ = removed
  }
}
