import StrataCore

/// A request to a server: its key, its form, and, as a subclass, the receiver of the answer. They share
/// one object, so a request needs fewer allocations.
///
/// Only one thread at a time uses a request: first the thread that creates it, and then the thread
/// of the connection.
class RedisRequest: @unchecked Sendable {
  enum Form: Sendable {
    /// Reads the record of a key, and the epoch. An `MGET` combines adjacent gets with the same
    /// epoch, up to 128 keys.
    case get(RedisEpoch)
    /// Reads the records of up to 128 keys, and the epoch. The property `elements` contains the
    /// replies, or only some of them if the request fails.
    case gets(RedisNames, RedisEpoch)
    /// Reads the bytes stored under a key. Unlike `get`, this request doesn't also read an epoch.
    /// An `MGET` combines up to 128 adjacent reads of the same slot.
    case read(slot: Int)
    /// Writes a record that belongs to the current epoch.
    case set(RedisEpoch, RedisSet)
    /// Begins a new epoch.
    case clear(RedisEpoch)
    /// Any other command.
    case command(@Sendable (inout RequestEncoder) -> Void)
  }

  let form: Form
  /// The number of keys that this request reads, or 1 if the request isn't a `gets`.
  let count: Int
  /// Whether the form is `gets`.
  let isGets: Bool
  /// A number that is equal for requests that can share an `MGET`. For a request that can't share
  /// one, the number is zero.
  private let command: Int
  /// The name of the key on the server. It selects the server in a cluster.
  let name: [UInt8]
  /// Whether it's safe to send the request to the server twice.
  let isRepeatable: Bool
  /// The time at which the request times out, in nanoseconds of a monotonic clock.
  let deadline: Int64
  /// The approximate size of the waiting request in memory, in bytes.
  let size: Int
  /// The place of a write among all writes of the process, or zero if the request isn't a write.
  let place: UInt64
  /// Whether the server must answer this request even though another server of the cluster owns the
  /// slot.
  var isAsking = false
  /// Whether this request must not share an `MGET` with other requests.
  var isAlone = false
  /// Whether only a primary may answer, and not a replica, which may lag.
  var needsPrimary = false
  /// The number of the epoch with which the request was sent.
  var sentEpoch: UInt64 = 0
  /// The replies to a request of the form `gets`, as far as they have arrived.
  var elements: [RedisReply] = []
  /// The epoch that the server has returned with `elements`.
  var elementsEpoch: UInt64?
  /// Whether the receiver has an answer, which may be a timeout. After a timeout, the request stays
  /// in flight, because the server may still reply.
  private(set) var isAnswered = false

  init(
    _ form: Form, name: [UInt8], isRepeatable: Bool, deadline: Int64, size: Int, place: UInt64 = 0
  ) {
    (self.form, self.name, self.isRepeatable) = (form, name, isRepeatable)
    (self.deadline, self.size, self.place) = (deadline, size + 200, place)
    switch form {
    case .get(let epoch): (count, isGets, command) = (1, false, Self.command(epoch))
    case .gets(let names, let epoch):
      (count, isGets, command) = (names.count, true, Self.command(epoch))
    case .read(let slot): (count, isGets, command) = (1, false, -1 - slot)
    default: (count, isGets, command) = (1, false, 0)
    }
  }

  private static func command(_ epoch: RedisEpoch) -> Int {
    Int(bitPattern: ObjectIdentifier(epoch))
  }

  /// Receives the answer and, for a get, the epoch that was stored on the server at the time of the
  /// answer. A task that waits for the answer may be added to `tasks`.
  ///
  /// It's called exactly once: on the thread of the connection, or on the caller's thread if the
  /// request fails immediately.
  func receive(
    _ answer: Result<RedisReply, RedisFailure>, epoch: UInt64?, holding tasks: inout HeldTasks
  ) {}

  /// Passes the answer to the receiver, unless the receiver already has an answer.
  final func finish(_ answer: Result<RedisReply, RedisFailure>, epoch: UInt64? = nil) {
    var tasks = HeldTasks()
    finish(answer, epoch: epoch, holding: &tasks)
    tasks.resume()
  }

  /// Passes the answer to the receiver as the other `finish` does, except that the caller resumes
  /// the tasks.
  final func finish(
    _ answer: Result<RedisReply, RedisFailure>, epoch: UInt64?, holding tasks: inout HeldTasks
  ) {
    guard !isAnswered else { return }
    isAnswered = true
    receive(answer, epoch: epoch, holding: &tasks)
  }

  /// Whether the request can share an `MGET` with another one.
  final func isLike(_ other: RedisRequest) -> Bool {
    command != 0 && command == other.command
  }
}

/// A request whose receiver is a closure.
final class RedisClosureRequest: RedisRequest, @unchecked Sendable {
  typealias Receive =
    @Sendable (_ answer: Result<RedisReply, RedisFailure>, _ epoch: UInt64?) -> Void

  private let receiver: Receive

  init(
    _ form: Form, name: [UInt8] = [], isRepeatable: Bool, deadline: Int64, size: Int,
    receive: @escaping Receive
  ) {
    receiver = receive
    super.init(form, name: name, isRepeatable: isRepeatable, deadline: deadline, size: size)
  }

  /// Creates a copy of a request with another receiver.
  init(
    _ other: RedisRequest, _ form: Form? = nil, by deadline: Int64? = nil,
    receive: @escaping Receive
  ) {
    receiver = receive
    super.init(
      form ?? other.form, name: other.name, isRepeatable: other.isRepeatable,
      deadline: deadline ?? other.deadline, size: other.size - 200, place: other.place)
    (isAsking, isAlone, needsPrimary) = (other.isAsking, other.isAlone, other.needsPrimary)
  }

  override func receive(
    _ answer: Result<RedisReply, RedisFailure>, epoch: UInt64?, holding tasks: inout HeldTasks
  ) {
    tasks.resume()  // The closure might block this thread until one of them has continued.
    receiver(answer, epoch)
  }
}

/// The failure of a request: an error from the server, a connection error, or a timeout.
enum RedisFailure: Error, Equatable {
  case error(RedisError)
  case timedOut

  /// The error that a caller receives.
  var error: any Error {
    switch self {
    case .error(let error): error
    case .timedOut: CacheError.timedOut()
    }
  }
}

extension RedisReply {
  /// The reply, or its error if the reply is an error.
  var answer: Result<RedisReply, RedisFailure> {
    guard case .failure(let bytes) = self else { return .success(self) }
    return .failure(.error(RedisError(reply: bytes)))
  }
}
