import StrataCore

/// The requests of a connection, in order: the waiting requests, and the requests in flight.
struct RedisPipeline {
  /// The requests that an expected reply answers.
  enum Awaited {
    /// One request.
    case request
    /// One or more gets in one command, with the number of their keys and their epoch, if any.
    /// `clears` is the number of `clear` operations that this process has sent before them.
    case gets(keys: Int, RedisEpoch?, clears: Int)
    /// The command that begins the first epoch.
    case firstEpoch
    /// A read of an epoch. With `isFence`, the pipeline sends no further request until the reply
    /// arrives.
    case epoch(RedisEpoch, clears: Int, isFence: Bool)
    /// A read of the ID of the run of the server in which an epoch was last used. Until the reply
    /// arrives, the pipeline sends no further request.
    case run(RedisEpoch)
    /// The removal of an epoch after a restart of the server, with the command that removes it. Until
    /// the reply arrives, the pipeline sends no further request.
    case removal(RedisEpoch, command: String)
    /// A request that the connection itself makes, such as a heartbeat.
    case own((RedisReply) -> Void)
  }

  /// The maximum number of keys in one command.
  static let mostGets = 128

  var waiting = RedisQueue<RedisRequest>()
  var inFlight = RedisQueue<RedisRequest>()
  var awaited = RedisQueue<Awaited>()
  /// The writes to send again, because the server has stored them under an outdated epoch.
  var again: [RedisRequest] = []
  var failed = 0  // The number of requests at the head of `inFlight` that have timed out.
  var isFenced = false
  var fenceReply = RedisReply.null
  /// The ID of the server's run, or `nil` if it's unknown or doesn't matter.
  var run: [UInt8]?
  /// The number of elements of the current list that haven't arrived yet.
  var elements = 0
  var listEpoch: UInt64?
  /// The elements that have arrived for the first request in flight, if its form is `gets`.
  var list: [RedisReply] = []
  var output = RequestEncoder()
  /// The sizes of the values that gets have found.
  let sizes: RedisSizes
  /// Whether the pipeline sends no more requests on this connection.
  var isHeld = false
  /// The number of keys whose values haven't arrived yet.
  var expectedKeys = 0
  /// Whether the server has answered a request on the current connection.
  var hasAnswered = false
  /// The requests whose answers have arrived, but haven't been delivered yet.
  private var answered: [Answered] = []
  /// The tasks that `deliver()` is about to resume. Outside this function, the list is empty.
  private var tasks = HeldTasks()
  /// A closure that receives the number and size of answered requests, just before the receivers of
  /// the answers are called.
  private let ended: (_ requests: Int, _ bytes: Int) -> Void

  private typealias Answered = (
    request: RedisRequest, answer: Result<RedisReply, RedisFailure>, epoch: UInt64?
  )

  init(
    sizes: RedisSizes = RedisSizes(),
    ended: @escaping (_ requests: Int, _ bytes: Int) -> Void = { _, _ in }
  ) {
    (self.sizes, self.ended) = (sizes, ended)
  }

  /// The number of requests in flight.
  var inFlightCount: Int { inFlight.count }
  var isAwaiting: Bool { !awaited.isEmpty }
  var hasRequests: Bool { !waiting.isEmpty || !again.isEmpty || isAwaiting }
  /// Whether a caller still waits for an answer. No caller waits for a request that has timed out,
  /// although the server may still reply to this request.
  var isOwing: Bool { !waiting.isEmpty || !again.isEmpty || failed < inFlight.count }

  /// The earliest time at which a request times out.
  var deadline: Int64? {
    let next = failed < inFlight.count ? inFlight[failed]?.deadline ?? .max : .max
    let earliest = min(next, again.first?.deadline ?? .max, waiting.first?.deadline ?? .max)
    return earliest == .max ? nil : earliest
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

  func finish(
    _ request: RedisRequest, _ answer: Result<RedisReply, RedisFailure>, epoch: UInt64? = nil
  ) {
    ended(request.count, request.size)
    request.finish(answer, epoch: epoch)
  }

  /// Keeps the answer to a request until `deliver()` passes it to the receiver.
  mutating func answer(
    _ request: RedisRequest, _ answer: Result<RedisReply, RedisFailure>, epoch: UInt64? = nil
  ) {
    answered.append((request, answer, epoch))
  }

  /// Passes all answers to their receivers at once. If each reply resumed a task separately, there
  /// would be more switches between threads.
  mutating func deliver() {
    guard !answered.isEmpty else { return }
    var (requests, bytes) = (0, 0)
    for answered in answered {
      requests += answered.request.count
      bytes += answered.request.size
    }
    ended(requests, bytes)
    for (request, answer, epoch) in answered {
      request.finish(answer, epoch: epoch, holding: &tasks)
    }
    tasks.resume()
    answered.removeAll(keepingCapacity: true)
  }

  /// For each key, the place of the last write that is in flight or waiting.
  var lastPlaces: [[UInt8]: UInt64] {
    var places: [[UInt8]: UInt64] = [:]
    for index in failed..<max(failed, inFlight.count) { note(inFlight[index], in: &places) }
    for index in 0..<waiting.count { note(waiting[index], in: &places) }
    for request in again { note(request, in: &places) }
    return places
  }

  private func note(_ request: RedisRequest?, in places: inout [[UInt8]: UInt64]) {
    guard let request, request.place > 0 else { return }
    places[request.name] = max(places[request.name] ?? 0, request.place)
  }
}

extension RedisPipeline /* : encoding */ {
  /// Encodes waiting requests into the output, until the output is full.
  mutating func fill() {
    if !again.isEmpty {
      waiting.prepend(again)
      again = []
    }
    var read: [RedisEpoch] = []
    while output.bytes.count < 256 << 10, !isFenced, !isHeld, let next = waiting.first {
      switch next.form {
      case .get(let epoch), .gets(_, let epoch):
        guard isOfThisRun(epoch) else { break }
        guard encodeGets(like: next, epoch) else { return }
      case .read: guard encodeGets(like: next, nil) else { return }
      case .set(let epoch, let set):
        guard isOfThisRun(epoch) else { break }
        guard let number = epoch.number else {
          fence(epoch)
          break
        }
        // Another process may have begun a new epoch. The server answers this read before the
        // write, so the client notices if the write has an outdated epoch, and sends it again.
        if !read.contains(where: { $0 === epoch }) {
          self.read(epoch, isFence: false)
          read.append(epoch)
        }
        next.sentEpoch = number
        set.encode(into: &output, name: next.name, epoch: number)
        move()
      case .clear(let epoch):
        ask(next)
        next.sentEpoch = epoch.clear()
        output.request([Array("SET".utf8), epoch.key, RedisEpoch.bytes(next.sentEpoch)])
        move()
      case .command(let encode):
        ask(next)
        encode(&output)
        move()
      }
    }
  }

  private mutating func move() {
    if let request = waiting.removeFirst() { inFlight.append(request) }
    awaited.append(.request)
  }

  /// Sends `ASKING` before a redirected request, because the server may not own the slot yet.
  private mutating func ask(_ request: RedisRequest) {
    if request.isAsking { add([Array("ASKING".utf8)]) }
  }

  /// Encodes adjacent gets into one command. Returns `false` if the gets must wait, because many
  /// bytes of earlier replies haven't arrived yet.
  private mutating func encodeGets(like first: RedisRequest, _ epoch: RedisEpoch?) -> Bool {
    guard sizes.mayExpect(first.count, after: expectedKeys) else { return false }
    ask(first)
    let most = sizes.keysOfRequest
    var (count, keys) = (1, first.count)
    while count < waiting.count, let next = waiting[count],
      !first.isAlone, !next.isAlone, keys + next.count <= most, next.isLike(first)
    {
      count += 1
      keys += next.count
    }
    output.begin(keys + (epoch == nil ? 1 : 2))
    if let epoch { output.append(encoded: epoch.beginningOfGets) } else { output.append("MGET") }
    for _ in 0..<count {
      guard let request = waiting.removeFirst() else { break }
      if case .gets(let names, _) = request.form {
        output.append(encoded: names.encoded)
      } else {
        output.append(request.name)
      }
      inFlight.append(request)
    }
    expectedKeys += keys
    awaited.append(.gets(keys: keys, epoch, clears: epoch?.clears ?? 0))
    return true
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
    output.append(encoded: epoch.readCommand)
    awaited.append(.epoch(epoch, clears: epoch.clears, isFence: isFence))
  }
}
