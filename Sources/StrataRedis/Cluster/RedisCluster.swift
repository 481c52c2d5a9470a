import StrataCore

/// The connections to the servers of a cluster. All threads share these connections.
///
/// Requests go to the server that owns the slot of their key. When a slot has moved, the reply of
/// its old server names the new owner. The client reads the topology again when a server redirects
/// a request or fails, and every ten seconds while there are requests.
final class RedisCluster: RedisClient {
  /// A server and its role, which together identify a connection. During a change of its role, a
  /// server may have two connections.
  struct Node: Hashable {
    let endpoint: RedisAddress.Endpoint
    var isReplica = false
  }

  struct State {
    var topology = RedisTopology()
    var connections: [Node: RedisConnection] = [:]
    var followers: [RedisFollower] = []
    /// The levels that are notified of restarts, or `nil` for those that have been released.
    var levels: [@Sendable () -> RedisStore?] = []
    /// The number of calls of `follow`.
    var follows = 0
    var isRefreshing = false
    var isClosed = false
    /// The time of the last read of the topology.
    var refreshed = Int64.min / 2
    /// The number of topology reads that have begun. It also decides which server gets the next
    /// read.
    var refreshes = 0
    /// The time of the last redirect to each server to which one has led.
    var redirects: [Node: Int64] = [:]
    /// The index of the initial server that receives requests whose slot has no known owner.
    var seed = 0
  }

  let settings: RedisSettings
  let journal = RedisJournal()
  let witnesses = RedisWitnesses()
  var sizes: RedisSizes { settings.sizes }
  var keepsOrder: Bool { false }
  let seeds: [RedisAddress.Endpoint]
  let readsReplicas: Bool
  let state = Lock(State())

  /// - Parameters:
  ///   - settings: The settings of each connection. The address contains the credentials.
  ///   - seeds: The servers to ask for the first topology. The array is empty if an address is
  ///     invalid.
  init(_ settings: RedisSettings, seeds: [RedisAddress.Endpoint], readsReplicas: Bool) {
    (self.settings, self.seeds, self.readsReplicas) = (settings, seeds, readsReplicas)
  }

  /// The initial addresses of the cluster's servers, without user names and passwords.
  var description: String {
    seeds.isEmpty ? "invalid address" : seeds.map(\.description).joined(separator: ",")
  }

  func follow(_ follower: RedisFollower) {
    guard !seeds.isEmpty else { return }
    // Until every connection has the new follower, it might miss reports of some writes. So from
    // the event `.ended` to the event `.left`, it treats the cluster like a connection that doesn't
    // report writes.
    let source = ObjectIdentifier(self)
    follower.receive(.ended, source)
    let connections = state.withLock { state in
      state.followers.removeAll { !$0.isAlive() }
      state.followers.append(follower)
      state.follows += 1
      return Array(state.connections.values)
    }
    witnesses.add(follower)
    for connection in connections { connection.follow(follower) }
    follower.receive(.left, source)
    refresh()
  }

  func forgetFollowers() {
    witnesses.forgetReleased()
    let connections = state.withLock { state in
      state.followers.removeAll { !$0.isAlive() }
      return Array(state.connections.values)
    }
    for connection in connections { connection.forgetFollowers() }
  }
}

extension RedisCluster /* : servers */ {
  func observeRestarts(_ level: RedisStore) {
    // The last reference to a level must not end under the lock.
    let known = state.withLock { $0.levels }.map { (get: $0, level: $0()) }
    let released = known.count { $0.level == nil }
    state.withLock { state in
      if 2 * released > known.count { state.levels.removeAll { $0() == nil } }
      state.levels.append { [weak level] in level }
    }
    withExtendedLifetime(known) {}
  }

  /// Returns the server for a slot. When the slot's owner isn't known yet, returns one of the
  /// initial servers, which redirects the request to the owner.
  ///
  /// - Parameter isRead: Whether a replica may answer.
  func node(of slot: Int, isRead: Bool, attempt: Int) -> Node {
    let (shard, seed, refreshed) = state.withLock { ($0.topology[slot], $0.seed, $0.refreshed) }
    if shard == nil || refreshed + Self.longestRefresh < runningNanoseconds() { refresh() }
    guard let shard else { return Node(endpoint: seeds[seed]) }
    if readsReplicas, isRead, attempt == 0, let replica = shard.replicas.randomElement() {
      return Node(endpoint: replica, isReplica: true)
    }
    return Node(endpoint: shard.primary)
  }

  /// Sends later requests to the next initial server, because this one has failed.
  func leave(seed: RedisAddress.Endpoint) {
    state.withLock { if seeds[$0.seed] == seed { $0.seed = ($0.seed + 1) % seeds.count } }
  }

  /// Returns the end of the time that one of several servers has until a deadline.
  func share(of deadline: Int64, _ servers: Int) -> Int64 {
    let now = runningNanoseconds()
    return servers > 1 ? now + max(0, deadline - now) / Int64(servers) : deadline
  }

  /// Whether the owner of a slot is known.
  func knows(_ slot: Int) -> Bool { state.withLock { $0.topology[slot] != nil } }

  func move(_ slot: Int, to endpoint: RedisAddress.Endpoint) {
    state.withLock { $0.topology.move(slot, to: endpoint) }
  }

  /// Returns the connection to a server. Adds all followers to a new connection before it sends any
  /// request, so they miss no report of a write.
  func connection(to node: Node) -> RedisConnection {
    while true {
      let (known, followers, follows, isClosed) = state.withLock {
        ($0.connections[node], $0.followers, $0.follows, $0.isClosed)
      }
      if let known { return known }
      let new = connect(node)
      if isClosed {
        _ = new.close()
        return new
      }
      for follower in followers { new.follow(follower) }
      let chosen = state.withLock { state -> RedisConnection? in
        if let other = state.connections[node] { return other }
        guard state.follows == follows, !state.isClosed else { return nil }
        state.connections[node] = new
        return new
      }
      if let chosen { return chosen }
    }
  }

  private func connect(_ node: Node) -> RedisConnection {
    var settings = settings
    settings.address = settings.address.map { address in
      var address = address
      address.endpoint = node.endpoint
      return address
    }
    settings.readsReplica = node.isReplica
    if !node.isReplica {
      settings.noticeRestart = { [weak self] in
        for level in self?.state.withLock({ $0.levels }) ?? [] { level()?.serverHasRestarted() }
      }
    }
    settings.receiveTopology = { [weak self] in self?.receive($0, from: node.endpoint) }
    return RedisConnection(settings)
  }
}
