/// A request to a server, and the receiver of the answer.
struct RedisRequest: Sendable {
  /// Receives the answer and, for a get, the epoch that was stored on the server at the time of the
  /// answer.
  ///
  /// Called exactly once, on the thread of the connection, or on the caller's thread if the request
  /// fails immediately.
  typealias Receive =
    @Sendable (_ epoch: RedisReply, _ answer: Result<RedisReply, RedisFailure>) -> Void

  enum Form: Sendable {
    /// Reads the records of 1 to 128 keys. The answer is the reply for a single key, or a list with
    /// one reply for each of several keys. An `MGET` combines adjacent gets with the same epoch, up
    /// to 128 keys. In a cluster, each get has exactly one key.
    case get(keys: [[UInt8]], RedisEpoch)
    /// Reads the bytes stored under one key. Unlike `get`, this request doesn't also read an epoch.
    /// An `MGET` combines up to 128 adjacent reads of the same slot.
    case read(key: [UInt8], slot: Int)
    /// Writes a record that belongs to the current epoch. The connection passes the current epoch
    /// to the closure.
    case set(RedisEpoch, @Sendable (inout RequestEncoder, _ epoch: UInt64) -> Void)
    /// Begins a new epoch.
    case clear(RedisEpoch)
    /// Any other command.
    case command(@Sendable (inout RequestEncoder) -> Void)
  }

  var form: Form
  /// Whether it's safe to send the request to the server twice.
  let isRepeatable: Bool
  /// The time at which the request times out, in nanoseconds of a monotonic clock.
  let deadline: Int64
  /// The approximate size of the waiting request in memory, in bytes.
  let size: Int
  /// Whether the server must answer this request even though another server of the cluster owns the
  /// slot.
  var isAsking = false
  /// Whether this request must not share an `MGET` with other requests.
  var isAlone = false
  /// The receiver, or `nil` after the receiver has been called. A request that has timed out stays
  /// in flight without a receiver, because the server may still answer.
  private(set) var receive: Receive?

  init(
    _ form: Form, isRepeatable: Bool, deadline: Int64, size: Int, receive: @escaping Receive
  ) {
    (self.form, self.isRepeatable, self.deadline) = (form, isRepeatable, deadline)
    (self.size, self.receive) = (size, receive)
  }

  /// The number of keys that this request reads, or 1 if the request isn't a `get`.
  var count: Int {
    if case .get(let keys, _) = form { keys.count } else { 1 }
  }

  /// Returns the keys of this request if the request can share an `MGET` with the other request, or
  /// `nil` otherwise.
  func keys(ifLike other: RedisRequest) -> [[UInt8]]? {
    switch (form, other.form) {
    case (.get(let keys, let epoch), .get(_, let other)): epoch === other ? keys : nil
    case (.read(let key, let slot), .read(_, let other)): slot == other ? [key] : nil
    default: nil
    }
  }

  /// Returns a copy of this request with a different receiver.
  func receiving(_ receive: @escaping Receive) -> RedisRequest {
    var request = self
    request.receive = receive
    return request
  }

  /// Passes the answer to the receiver, unless the receiver already has an answer.
  mutating func finish(_ answer: Result<RedisReply, RedisFailure>, epoch: RedisReply = .null) {
    receive.take()?(epoch, answer)
  }
}

/// The failure of a request: an error from the server, a connection error, or a timeout.
enum RedisFailure: Error, Equatable {
  case error(RedisError)
  case timedOut
}

extension RedisReply {
  /// The reply, or its error if the reply is an error.
  var answer: Result<RedisReply, RedisFailure> {
    guard case .failure(let bytes) = self else { return .success(self) }
    return .failure(.error(RedisError(reply: bytes)))
  }
}
