import StrataCore

extension RedisCluster /* : sending */ {
  /// The maximum number of times that one request is sent.
  private static let mostAttempts = 6

  func send(_ request: RedisRequest, key: [UInt8]) {
    if case .failure(let error) = settings.address {
      var request = request
      return request.finish(.failure(.error(error)))
    }
    switch request.form {
    case .get(let keys, let epoch): get(request, keys[0], epoch)
    case .set(let epoch, let encode):
      number(of: epoch, known: epoch.number, request.deadline) { result in
        var request = request
        switch result {
        case .failure(let failure): request.finish(.failure(failure))
        case .success(let number):
          request.form = .command { encode(&$0, number) }
          self.route(request, RedisSlot.of(key))
          // Reads the epoch again for later writes, because another process may have changed it
          // with `clear`.
          self.read(epoch, request.deadline) { _ in }
        }
      }
    case .read, .clear, .command: route(request, RedisSlot.of(key))
    }
  }

  /// Reads a record and the current epoch, which may be stored on different servers.
  ///
  /// If the record belongs to another epoch than the one that was read, a get without a lease
  /// misses, and a get that can take a lease reads the epoch again. No matter which server answers
  /// first, a get that begins after a `clear` has settled never returns a cleared value.
  private func get(_ request: RedisRequest, _ key: [UInt8], _ epoch: RedisEpoch) {
    let pair = RedisPair(request)
    read(epoch, request.deadline) { pair.receive(epoch: $0) }
    let slot = RedisSlot.of(key)
    var record = request.receiving { pair.receive(record: $1) }
    record.form = .read(key: key, slot: slot)
    route(record, slot, isRead: true)
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
    let node = named ?? self.node(of: slot, isRead: isRead, attempt: attempt)
    connection(to: node).send(
      request.receiving { epoch, answer in
        guard case .failure(let failure) = answer, attempt + 1 < Self.mostAttempts,
          self.resend(request, after: failure, of: node, isKnown, slot, isRead, attempt + 1)
        else {
          request.receive?(epoch, answer)
          return
        }
      })
  }

  /// Sends a failed request again if another attempt might succeed. Returns whether the request
  /// was sent again.
  private func resend(
    _ request: RedisRequest, after failure: RedisFailure, of node: Node, _ isKnown: Bool,
    _ slot: Int, _ isRead: Bool, _ attempt: Int
  ) -> Bool {
    guard case .error(let error) = failure else {
      refresh()
      return false
    }
    var request = request
    request.isAsking = false
    if let redirect = RedisRedirect(error, from: node.endpoint) {
      if !redirect.isAsking {
        move(slot, to: redirect.endpoint)
        refresh(from: redirect.endpoint)
      }
      request.isAsking = redirect.isAsking
      request.isAlone = redirect.isAsking
      route(request, slot, attempt: attempt, to: Node(endpoint: redirect.endpoint))
      return true
    }
    var isRetried = node.isReplica && request.isRepeatable
    switch error {
    case .server("TRYAGAIN", _):
      // Some keys of an `MGET` have moved to another server, so each get of that `MGET` is sent
      // again separately.
      isRetried = !request.isAlone
      request.isAlone = true
    case .unreachable:
      // The request wasn't sent.
      isRetried = isRetried || !isKnown
      refresh()
    case .connectionLost, .server("CLUSTERDOWN", _), .server("LOADING", _): refresh()
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

  /// Returns only the record's key, without the epoch's key. The two keys usually belong to
  /// different slots, and a script may use only keys of one slot.
  func scriptKeys(_ name: [UInt8], _ epoch: RedisEpoch) -> [[UInt8]] { [name] }

  /// Passes the value of an epoch to a closure. If the value isn't known, reads it. If the prefix
  /// has no epoch yet, begins the first epoch.
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
    let begin = RedisRequest(
      .command {
        $0.request([
          Array("SET".utf8), epoch.key, RedisEpoch.bytes(RedisEpoch.random()), Array("NX".utf8),
        ])
      }, isRepeatable: true, deadline: deadline, size: 200
    ) { _, answer in
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

  /// Reads an epoch from its server. Callers that wait for the same epoch share one request. A
  /// caller never shares a request that was sent before the caller began to wait, because the reply
  /// could be outdated.
  private func read(
    _ epoch: RedisEpoch, _ deadline: Int64, receive: @escaping RedisEpochReaders.Receive
  ) {
    if epoch.readers.add(deadline, receive) { readNext(epoch) }
  }

  private func readNext(_ epoch: RedisEpoch) {
    guard let (deadline, receivers) = epoch.readers.take() else { return }
    let (slot, clears) = (RedisSlot.of(epoch.key), epoch.clears)
    let request = RedisRequest(
      .read(key: epoch.key, slot: slot), isRepeatable: true, deadline: deadline, size: 200
    ) { _, answer in
      if case .success(let reply) = answer { epoch.note(reply, after: clears) }
      for receive in receivers { receive(answer) }
      Trampoline.run { self.readNext(epoch) }
    }
    route(request, slot)
  }
}
