import StrataCore

extension RedisLoop /* : following */ {
  func add(_ follower: RedisFollower) {
    forgetReleasedFollowers()
    followers.append(follower)
    guard case .open = phase else { return }
    let isKnown = followers.dropLast().contains { $0.prefix == follower.prefix }
    guard !isKnown || !isTracking else { return report(.began, to: follower) }
    pipeline.add(RedisHandshake.tracking([follower.prefix])) { [unowned self] reply in
      if case .failure = reply { return }
      beginTracking(for: follower)
    }
  }

  /// Notes that the server reports writes, and tells this to a follower, or to all followers if
  /// `follower` is `nil`.
  func beginTracking(for follower: RedisFollower? = nil) {
    let isNew = !isTracking
    isTracking = true
    mailbox.note { $0.isFollowing = true }
    report(.began, to: follower)
    if isNew { tell(.following) }
  }

  /// Removes the followers whose caches were released. Otherwise, each report of a write would take
  /// longer with each cache that a program has ever created.
  func forgetReleasedFollowers() { followers.removeAll { !$0.isAlive() } }

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

  /// The time at which the client must act if the server sends nothing until then. If a reply is
  /// outstanding, the client closes the connection at this time. If no reply is outstanding, the
  /// client sends a heartbeat.
  var heartbeatTime: Int64? {
    guard case .open = phase else { return nil }
    let silence = pipeline.isAwaiting ? settings.deadlineNanoseconds : 0
    return lastReceived + settings.heartbeatNanoseconds(isTracking: isTracking) + silence
  }
}
