import StrataCore

extension RedisCluster /* : checking and closing */ {
  /// Reads the topology from any server, and then checks all primaries.
  func ping() -> Promise<Void> {
    if case .failure(let error) = settings.address { return Promise(error: error) }
    let known = state.withLock { $0.topology.shards.map(\.primary) }
    return topology(from: Self.unique(known + seeds), by: deadline).flatMap { primaries in
      Promise<Void>.all(primaries.map { self.connection(to: Node(endpoint: $0)).ping() }).map { _ in
      }
    }
  }

  /// Returns the primaries, as named by the first server that answers.
  private func topology(
    from servers: [RedisAddress.Endpoint], by deadline: Int64
  ) -> Promise<[RedisAddress.Endpoint]> {
    guard let server = servers.first else {
      return Promise(error: RedisError.unreachable("no server of the cluster answers"))
    }
    let reply = connection(to: Node(endpoint: server)).command(
      RedisTopology.request, isRepeatable: true, by: share(of: deadline, servers.count))
    return reply.map { reply in
      guard let topology = RedisTopology(reply, from: server) else {
        throw RedisError.unreachable("\(server) doesn't belong to a cluster with servers")
      }
      self.receive(reply, from: server)
      return topology.shards.map(\.primary)
    }.recover { error in
      if servers.count == 1 { throw error }
      return self.topology(from: Array(servers.dropFirst()), by: deadline)
    }
  }

  func close() -> Promise<Void> {
    let connections = state.withLock { state in
      state.isClosed = true
      return Array(state.connections.values)
    }
    return Promise<Void>.all(connections.map { $0.close() }).map { _ in }
  }

  var metrics: RedisMetrics {
    let all = state.withLock { Array($0.connections.values) }.map(\.metrics)
    return all.dropFirst().reduce(all.first ?? RedisMetrics()) { $0 + $1 }
  }
}
