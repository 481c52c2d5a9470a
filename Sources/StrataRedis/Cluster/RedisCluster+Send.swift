import StrataCore

extension RedisCluster /* : sending */ {
  /// The maximum number of attempts to send one request. Some of them may find only initial servers
  /// that don't answer.
  private var mostAttempts: Int { 6 + min(seeds.count, 10) }

  func send(_ request: RedisRequest) {
    if case .failure(let error) = settings.address {
      return request.finish(.failure(.error(error)))
    }
    switch request.form {
    case .get(let epoch): get(request, epoch)
    case .set(let epoch, let set): self.set(request, epoch, set)
    case .gets, .read, .clear, .command: route(request, RedisSlot.of(request.name))
    }
  }

  /// Does nothing: in a cluster, each level removes the keys of its failed writes itself, through
  /// its queue, which keeps the order of writes.
  func repair() {}

  /// Stores a record, and reads the epoch at the same time. When that shows that another process
  /// has begun a new epoch, stores the record again.
  private func set(_ request: RedisRequest, _ epoch: RedisEpoch, _ set: RedisSet) {
    number(of: epoch, known: epoch.number, request.deadline) { result in
      switch result {
      case .failure(let failure): request.finish(.failure(failure))
      case .success(let number):
        let name = request.name
        let write = RedisClosureRequest(
          request, .command { set.encode(into: &$0, name: name, epoch: number) }
        ) { answer, current in
          guard case .success = answer, current != number else { return request.finish(answer) }
          guard runningNanoseconds() < request.deadline else {
            return request.finish(.failure(.timedOut))
          }
          self.set(request, epoch, set)
        }
        let pair = RedisPair(write)
        self.read(epoch, request.deadline) { pair.receive(epoch: $0) }
        let sent = RedisClosureRequest(write) { answer, _ in pair.receive(answer) }
        self.route(sent, RedisSlot.of(name))
      }
    }
  }

  /// Reads a record and the current epoch, which may be stored on different servers.
  ///
  /// A get misses if the record was stored in another epoch than the one that the get has read. But
  /// if it can take a lease, it reads the epoch again before it misses. So once a `clear` has
  /// settled, no later get returns a cleared value, no matter which server answers first.
  private func get(_ request: RedisRequest, _ epoch: RedisEpoch) {
    let pair = RedisPair(request)
    read(epoch, request.deadline) { pair.receive(epoch: $0) }
    let slot = RedisSlot.of(request.name)
    let record = RedisClosureRequest(request, .read(slot: slot)) { answer, _ in
      pair.receive(answer)
    }
    route(record, slot, isRead: !request.needsPrimary)
  }

  /// Sends a request to the owner of a slot, to a replica of the owner, or to the server that a
  /// redirect has named.
  ///
  /// - Parameter isRead: Whether a replica may answer.
  private func route(
    _ request: RedisRequest, _ slot: Int, isRead: Bool = false, attempt: Int = 0,
    to named: Node? = nil
  ) {
    let isKnown = named != nil || knows(slot)
    if !isKnown, !request.isRepeatable, attempt == 0 { return find(slot, of: request) }
    let node = named ?? self.node(of: slot, isRead: isRead, attempt: attempt)
    // The initial servers share the time, so a silent one leaves time for the others. A request
    // that can't be repeated comes after a read, which has already found a server that answers.
    let end =
      isKnown || !request.isRepeatable
      ? request.deadline : share(of: request.deadline, seeds.count - attempt)
    connection(to: node).send(
      RedisClosureRequest(request, by: end) { answer, epoch in
        guard case .failure(let failure) = answer, attempt + 1 < self.mostAttempts,
          self.resend(request, after: failure, of: node, isKnown, slot, isRead, attempt + 1)
        else {
          return request.finish(answer, epoch: epoch)
        }
      })
  }

  /// Finds the owner of a slot with a read of the request's key, and then sends the request, which
  /// can't be repeated.
  private func find(_ slot: Int, of request: RedisRequest) {
    let read = RedisClosureRequest(
      .read(slot: slot), name: request.name, isRepeatable: true, deadline: request.deadline,
      size: request.name.count
    ) { answer, _ in
      guard case .success = answer else { return request.finish(answer) }
      self.route(request, slot, attempt: 1)
    }
    route(read, slot)
  }

  /// Sends a failed request again if another attempt might succeed. Returns whether it did so.
  private func resend(
    _ request: RedisRequest, after failure: RedisFailure, of node: Node, _ isKnown: Bool,
    _ slot: Int, _ isRead: Bool, _ attempt: Int
  ) -> Bool {
    guard case .error(let error) = failure else {
      refresh()
      // Only an initial server's share of the time may have passed.
      guard !isKnown, request.isRepeatable, runningNanoseconds() < request.deadline else {
        return false
      }
      leave(seed: node.endpoint)
      route(request, slot, isRead: isRead, attempt: attempt)
      return true
    }
    request.isAsking = false
    if let redirect = RedisRedirect(error, from: node.endpoint) {
      if !redirect.isAsking {
        move(slot, to: redirect.endpoint)
        refresh(from: redirect.endpoint)
      }
      request.isAsking = redirect.isAsking
      request.isAlone = redirect.isAsking
      state.withLock {
        $0.redirects[Node(endpoint: redirect.endpoint)] = runningNanoseconds()
      }
      route(request, slot, attempt: attempt, to: Node(endpoint: redirect.endpoint))
      return true
    }
    if !isKnown { leave(seed: node.endpoint) }
    // Each initial server gets the request once, because nothing else delays the repetitions.
    let hasOtherSeed = !isKnown && attempt < seeds.count
    var isRetried = node.isReplica && request.isRepeatable
    switch error {
    case .server("TRYAGAIN", _):
      // Some keys of an `MGET` have moved to another server, so its gets are sent again, one by
      // one.
      isRetried = !request.isAlone
      request.isAlone = true
    case .unreachable, .tls, .refused:
      // The server can't have received the request.
      isRetried = isRetried || hasOtherSeed
      refresh()
    case .connectionLost, .server("CLUSTERDOWN", _), .server("LOADING", _):
      isRetried = isRetried || hasOtherSeed && request.isRepeatable
      refresh()
    default: break
    }
    if isRetried { route(request, slot, isRead: isRead, attempt: attempt) }
    return isRetried
  }
}

extension RedisCluster /* : epochs */ {
  func number(of epoch: RedisEpoch, found: UInt64?, by deadline: Int64) -> Promise<UInt64> {
    if let found { return Promise(found) }
    return Promise { continuation in
      number(of: epoch, known: nil, deadline) { continuation.settle($0) }
    }
  }

  /// Returns only the record's key, without the epoch's key. Usually, the two keys belong to
  /// different slots, and a script may use only keys of one slot.
  func scriptKeys(_ name: [UInt8], _ epoch: RedisEpoch) -> [[UInt8]] { [name] }

  /// Passes the number of an epoch to a closure. When the number isn't known, reads it from the
  /// server. When the prefix has no epoch yet, begins the first one.
  private func number(
    of epoch: RedisEpoch, known: UInt64?, _ deadline: Int64,
    receive: @escaping @Sendable (Result<UInt64, RedisFailure>) -> Void
  ) {
    if let known { return receive(.success(known)) }
    read(epoch, deadline) { answer in
      if case .success(let reply) = answer, RedisEpoch.number(reply) == nil {
        self.begin(epoch, deadline, receive: receive)
      } else {
        receive(Self.number(answer))
      }
    }
  }

  private func begin(
    _ epoch: RedisEpoch, _ deadline: Int64,
    receive: @escaping @Sendable (Result<UInt64, RedisFailure>) -> Void
  ) {
    let begin = RedisClosureRequest(
      .command {
        $0.request([
          Array("SET".utf8), epoch.key, RedisEpoch.bytes(RedisEpoch.random()), Array("NX".utf8),
        ])
      }, isRepeatable: true, deadline: deadline, size: 0
    ) { answer, _ in
      if case .failure(let failure) = answer { return receive(.failure(failure)) }
      self.read(epoch, deadline) { receive(Self.number($0)) }
    }
    route(begin, RedisSlot.of(epoch.key))
  }

  private static func number(_ answer: Result<RedisReply, RedisFailure>) -> Result<
    UInt64, RedisFailure
  > {
    answer.flatMap { reply in
      RedisEpoch.number(reply).map { .success($0) }
        ?? .failure(.error(.server(code: "OOM", message: "the server keeps no epoch")))
    }
  }

  /// Reads an epoch from its server. Callers that wait for the same epoch share the next request.
  /// They can't share one that is already in flight, because its reply could be outdated.
  private func read(
    _ epoch: RedisEpoch, _ deadline: Int64, receive: @escaping RedisEpochReaders.Receive
  ) {
    if epoch.readers.add(deadline, receive) { readNext(epoch) }
  }

  private func readNext(_ epoch: RedisEpoch) {
    guard let (deadline, readers) = epoch.readers.take() else { return }
    let (slot, clears) = (RedisSlot.of(epoch.key), epoch.clears)
    let request = RedisClosureRequest(
      .read(slot: slot), name: epoch.key, isRepeatable: true, deadline: deadline, size: 0
    ) { answer, _ in
      var answered = readers
      switch answer {
      case .success(let reply): epoch.note(RedisEpoch.number(reply), after: clears)
      case .failure:
        answered = epoch.readers.fail(readers, at: runningNanoseconds(), after: deadline)
      }
      for reader in answered { reader.receive(answer) }
      Trampoline.run { self.readNext(epoch) }
    }
    route(request, slot)
  }
}
