import StrataCore

/// The requests of a connection, in order: the waiting requests, and the requests in flight.
struct RedisPipeline {
  /// The receiver of an expected reply.
  private enum Awaited {
    /// One request.
    case request
    /// Several gets in one command, the number of their keys, and their epoch, if any. `clears` is
    /// the number of `clear` operations that this process sent before the gets.
    case gets(Int, keys: Int, RedisEpoch?, clears: Int)
    /// The command that begins the first epoch.
    case firstEpoch
    /// A read of an epoch. If `isFence` is `true`, the pipeline sends no further requests until the
    /// reply to this read arrives.
    case epoch(RedisEpoch, clears: Int, isFence: Bool)
    /// A request that the connection itself makes, such as a heartbeat.
    case own((RedisReply) -> Void)
  }

  /// The maximum number of keys in one command. This limit bounds the size of a reply.
  static let mostGets = 128

  private var waiting = RedisQueue<RedisRequest>()
  private var inFlight = RedisQueue<RedisRequest>()
  private var awaited = RedisQueue<Awaited>()
  private var failed = 0  // The number of requests at the head of `inFlight` that have timed out.
  private var isFenced = false
  private var fenceReply = RedisReply.null
  private(set) var output = RequestEncoder()
  /// A closure that receives each request immediately before the request's receiver is called.
  private let ended: (RedisRequest) -> Void

  init(ended: @escaping (RedisRequest) -> Void = { _ in }) { self.ended = ended }

  var isAwaiting: Bool { !awaited.isEmpty }
  var hasRequests: Bool { !waiting.isEmpty || isAwaiting }

  /// The earliest time at which a request times out.
  var deadline: Int64? {
    let next = failed < inFlight.count ? inFlight[failed]?.deadline : nil
    return [next, waiting.first?.deadline].compactMap { $0 }.min()
  }

  mutating func add(_ requests: [RedisRequest]) { waiting.append(contentsOf: requests) }

  mutating func removeOutput(_ count: Int) { output.removeFirst(count) }

  /// Adds a request that the connection itself makes, such as a heartbeat.
  mutating func add(
    _ arguments: [[UInt8]], receive: @escaping (RedisReply) -> Void = { _ in }
  ) {
    output.request(arguments)
    awaited.append(.own(receive))
  }

  private mutating func finish(
    _ request: RedisRequest, _ answer: Result<RedisReply, RedisFailure>, epoch: RedisReply = .null
  ) {
    ended(request)
    var request = request
    request.finish(answer, epoch: epoch)
  }
}

extension RedisPipeline /* : encoding */ {
  /// Encodes waiting requests into the output, until the output is full.
  mutating func fill() {
    var written: [RedisEpoch] = []
    while output.bytes.count < 256 << 10, !isFenced, let next = waiting.first {
      switch next.form {
      case .get(_, let epoch): encodeGets(like: next, epoch)
      case .read: encodeGets(like: next, nil)
      case .set(let epoch, let encode):
        guard let number = epoch.number else {
          fence(epoch)
          break
        }
        encode(&output, number)
        move()
        if !written.contains(where: { $0 === epoch }) { written.append(epoch) }
      case .clear(let epoch):
        ask(next)
        output.request([Array("SET".utf8), epoch.key, RedisEpoch.bytes(epoch.clear())])
        move()
      case .command(let encode):
        ask(next)
        encode(&output)
        move()
      }
    }
    // A `clear` in another process may have changed the number of an epoch. After writes, the
    // client reads the epoch again, and later writes use the new number.
    for epoch in written { read(epoch, isFence: false) }
  }

  private mutating func move() {
    if let request = waiting.removeFirst() { inFlight.append(request) }
    awaited.append(.request)
  }

  /// Sends `ASKING` before a redirected request, because the server might not own the slot yet.
  private mutating func ask(_ request: RedisRequest) {
    if request.isAsking { add([Array("ASKING".utf8)]) }
  }

  private mutating func encodeGets(like first: RedisRequest, _ epoch: RedisEpoch?) {
    ask(first)
    var (keys, count) = ([[UInt8]](), 0)
    while let next = waiting.first, let others = next.keys(ifLike: first),
      count == 0
        || !(first.isAlone || next.isAlone) && keys.count + others.count <= Self.mostGets
    {
      keys += others
      count += 1
      if let request = waiting.removeFirst() { inFlight.append(request) }
    }
    output.begin(keys.count + (epoch == nil ? 1 : 2))
    output.append("MGET")
    if let epoch { output.append(epoch.key) }
    for key in keys { output.append(key) }
    awaited.append(.gets(count, keys: keys.count, epoch, clears: epoch?.clears ?? 0))
  }

  /// Begins an epoch if the server has none, and then reads the server's epoch. Later requests wait
  /// for the reply.
  private mutating func fence(_ epoch: RedisEpoch) {
    output.request([
      Array("SET".utf8), epoch.key, RedisEpoch.bytes(RedisEpoch.random()), Array("NX".utf8),
    ])
    awaited.append(.firstEpoch)
    read(epoch, isFence: true)
    isFenced = true
  }

  private mutating func read(_ epoch: RedisEpoch, isFence: Bool) {
    output.request([Array("GET".utf8), epoch.key])
    awaited.append(.epoch(epoch, clears: epoch.clears, isFence: isFence))
  }
}

extension RedisPipeline /* : replies */ {
  /// Passes a reply to the requests that are waiting for the reply.
  ///
  /// - Throws: An error if no request is waiting for a reply.
  mutating func receive(_ reply: RedisReply) throws(RedisError) {
    guard let next = awaited.removeFirst() else {
      throw .protocolViolation("a reply answers no request")
    }
    switch next {
    case .own(let receive): receive(reply)
    case .firstEpoch: fenceReply = reply
    case .epoch(let epoch, let clears, let isFence):
      epoch.note(reply, after: clears)
      if isFence { endFence(epoch) }
    case .request:
      guard let request = removeFirst() else { return }
      if case .clear(let epoch) = request.form, case .failure = reply { epoch.number = nil }
      finish(request, reply.answer)
    case .gets(let count, let keys, let epoch, let clears):
      receive(reply, count, keys, epoch, clears)
    }
  }

  private mutating func receive(
    _ reply: RedisReply, _ count: Int, _ keys: Int, _ epoch: RedisEpoch?, _ clears: Int
  ) {
    let elements = reply.elements ?? []
    var next = epoch == nil ? 0 : 1
    let isWhole = elements.count == keys + next
    let number = isWhole && epoch != nil ? elements[0] : .null
    if isWhole { epoch?.note(number, after: clears) }
    for _ in 0..<count {
      guard let request = removeFirst() else { continue }
      let own = next..<next + request.count
      next = own.upperBound
      let answer =
        isWhole
        ? .success(own.count == 1 ? elements[own.lowerBound] : .list(Array(elements[own])))
        : reply.answer.flatMap { _ in
          .failure(.error(.protocolViolation("MGET returned the wrong number of values")))
        }
      finish(request, answer, epoch: number)
    }
  }

  /// Lets the pipeline send requests again. If the server still has no epoch, the write that needed
  /// the epoch fails. That write is the first waiting request, unless the write has timed out.
  private mutating func endFence(_ epoch: RedisEpoch) {
    isFenced = false
    guard epoch.number == nil, case .set(let needed, _)? = waiting.first?.form, needed === epoch
    else { return }
    let failure: RedisFailure =
      if case .failure(let failure) = fenceReply.answer {
        failure
      } else {
        .error(.server(code: "OOM", message: "the server keeps no epoch"))
      }
    if let request = waiting.removeFirst() { finish(request, .failure(failure)) }
  }

  private mutating func removeFirst() -> RedisRequest? {
    if failed > 0 { failed -= 1 }
    return inFlight.removeFirst()
  }
}

extension RedisPipeline /* : failures */ {
  /// Fails all expired requests. Returns whether any expired request was in flight.
  mutating func expire(at now: Int64) -> Bool {
    let before = failed
    while failed < inFlight.count, let request = inFlight[failed], request.deadline <= now {
      var request = request
      // The server may not have received the new epoch yet, so later writes read the epoch first.
      if case .clear(let epoch) = request.form { epoch.number = nil }
      request.finish(.failure(.timedOut))
      inFlight[failed] = request
      failed += 1
    }
    while let next = waiting.first, next.deadline <= now, let request = waiting.removeFirst() {
      finish(request, .failure(.timedOut))
    }
    return failed > before
  }

  /// Resets the pipeline after the loss of its connection.
  ///
  /// In-flight requests that are repeatable return to the head of the queue. In-flight requests
  /// that aren't repeatable fail.
  mutating func interrupt(_ error: RedisError) {
    let (sent, later) = (inFlight.removeAll(), waiting.removeAll())
    _ = awaited.removeAll()
    (failed, isFenced, output) = (0, false, RequestEncoder())
    waiting.append(contentsOf: sent.filter { $0.isRepeatable && $0.receive != nil })
    waiting.append(contentsOf: later)
    for request in sent where !request.isRepeatable || request.receive == nil {
      if case .clear(let epoch) = request.form { epoch.number = nil }
      finish(request, .failure(.error(error)))
    }
  }

  /// Fails all waiting requests.
  mutating func refuseAll(_ error: RedisError) {
    for request in waiting.removeAll() { finish(request, .failure(.error(error))) }
  }
}
