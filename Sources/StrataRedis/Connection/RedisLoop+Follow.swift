import StrataCore

extension RedisLoop /* : following */ {
  func add(_ follower: RedisFollower) {
    forgetReleasedFollowers()
    followers.append(follower)
    guard case .open = phase, sendsReports else { return }
    if tracked.contains(where: { follower.prefix.starts(with: $0) }) {
      if isTracking, registration == registered { beginFollowing() }
    } else {
      register()
    }
  }

  /// Removes the followers whose caches were released. Otherwise, each cache that the program has
  /// ever created would make every report of a write slower.
  func forgetReleasedFollowers() { followers.removeAll { !$0.isAlive() } }

  /// Forgets released followers. When most registered prefixes are no longer wanted, unregisters
  /// all prefixes, because the server can't unregister a single one. Then the wanted prefixes are
  /// registered again. Meanwhile, the other followers drop their values.
  func forgetFollowers() {
    forgetReleasedFollowers()
    let wanted = Self.covering(followers)
    guard case .open = phase, isTracking, tracked.count > 2 * wanted.count else { return }
    register()
  }

  /// The shortest prefixes that cover all followers. They don't overlap, because a server would
  /// refuse that.
  static func covering(_ followers: [RedisFollower]) -> [[UInt8]] {
    var covering: [[UInt8]] = []
    let sorted = followers.map(\.prefix).sorted { $0.lexicographicallyPrecedes($1) }
    for prefix in sorted where covering.last.map({ prefix.starts(with: $0) }) != true {
      covering.append(prefix)
    }
    return covering
  }

  /// Registers the new prefixes of the followers. When a registered prefix is no longer wanted,
  /// unregisters all prefixes and registers the wanted ones again. Between these two steps, the
  /// server reports no writes.
  func register() {
    let wanted = Self.covering(followers)
    var new = wanted.filter { !tracked.contains($0) }
    if new.count + tracked.count != wanted.count || hasRefusedPrefixes {
      endFollowing()
      pipeline.add(["CLIENT", "TRACKING", "OFF"].map { Array($0.utf8) })
      new = wanted
    }
    tracked = wanted
    hasRefusedPrefixes = false
    registration += 1
    guard !new.isEmpty else { return }
    pipeline.add(RedisHandshake.tracking(new)) { [unowned self, registration] reply in
      if case .failure = reply { return hasRefusedPrefixes = true }
      guard registration == self.registration, !hasRefusedPrefixes else { return }
      (isTracking, registered) = (true, registration)
      beginFollowing()
      mayForget = true  // Caches may have been released since the request was sent.
    }
  }

  /// Informs the followers that the connection now reports writes.
  func beginFollowing() {
    let isNew = begun.isEmpty
    mailbox.note { $0.isFollowing = true }
    for follower in followers where begun.insert(ObjectIdentifier(follower.token)).inserted {
      report(.began, to: follower)
    }
    if isNew { tell(.following) }
  }

  /// Informs the followers that the connection has stopped reporting writes.
  func endFollowing() {
    (begun, tracked) = ([], [])
    mailbox.note { $0.isFollowing = false }
    guard isTracking else { return }
    isTracking = false
    report(.ended)
  }

  /// Passes an event to a follower, or to all followers if `follower` is `nil`.
  func report(_ event: RedisFollower.Event, to follower: RedisFollower? = nil) {
    for follower in follower.map({ [$0] }) ?? followers {
      follower.receive(event, ObjectIdentifier(mailbox))
    }
  }

  /// Sends a heartbeat, whose reply shows that the server still answers.
  func beat() {
    guard let receive = settings.receiveTopology else { return pipeline.add([Array("PING".utf8)]) }
    pipeline.add(RedisTopology.request, receive: receive)
  }

  func receivePush(_ elements: [RedisReply]) {
    guard elements.count == 2, elements[0].string == "invalidate" else { return }
    guard let keys = elements[1].elements?.compactMap(\.data) else {
      return report(.wroteAll)
    }
    for follower in followers {
      let own = keys.filter { $0.starts(with: follower.prefix) }.map { Array($0) }
      if !own.isEmpty { report(.wrote(own), to: follower) }
    }
  }

  /// The time at which the client acts if the server has sent nothing until then. If the client is
  /// waiting for a reply, it then closes the connection, and otherwise it sends a heartbeat.
  var heartbeatTime: Int64? {
    guard case .open = phase else { return nil }
    let silence = pipeline.isAwaiting ? settings.deadlineNanoseconds : 0
    return lastReceived + settings.heartbeatNanoseconds(isTracking: isTracking) + silence
  }
}
