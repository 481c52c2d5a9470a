/// A request to a server, and the receiver of its answer.
struct RedisRequest: Sendable {
  /// Receives the answer, and for a get the epoch that the server stored at that time.
  ///
  /// Called exactly once, on the thread of the connection, or on the caller's thread if the request
  /// fails immediately.
  typealias Receive =
    @Sendable (_ epoch: RedisReply, _ answer: Result<RedisReply, RedisFailure>) -> Void

  enum Form: Sendable {
    /// Reads the record of a key. Adjacent gets with the same epoch are sent as one `MGET`.
    case get(key: [UInt8], RedisEpoch)
    /// Reads the bytes of a key, without an epoch. Adjacent reads of the same slot are sent as one
    /// `MGET`.
    case read(key: [UInt8], slot: Int)
    /// Writes a record of the current epoch, which the connection passes to the closure.
    case set(RedisEpoch, @Sendable (inout RequestEncoder, _ epoch: UInt64) -> Void)
    /// Begins a new epoch.
    case clear(RedisEpoch)
    /// Any other command.
    case command(@Sendable (inout RequestEncoder) -> Void)
  }

  var form: Form
  /// Whether the server may receive the request twice.
  let isRepeatable: Bool
  /// The time at which the request fails, in nanoseconds of the running clock.
  let deadline: Int64
  /// The memory that the request takes while it waits, in bytes.
  let size: Int
  /// Whether a server of a cluster must answer this request although another server owns the slot.
  var isAsking = false
  /// Whether this request never shares an `MGET`.
  var isAlone = false
  /// The receiver, or `nil` if the request has failed and the server may still answer.
  private(set) var receive: Receive?

  init(
    _ form: Form, isRepeatable: Bool, deadline: Int64, size: Int, receive: @escaping Receive
  ) {
    (self.form, self.isRepeatable, self.deadline) = (form, isRepeatable, deadline)
    (self.size, self.receive) = (size, receive)
  }

  /// Returns the key if this is a get that can share an `MGET` with another request, or `nil`
  /// otherwise.
  func key(ifLike other: RedisRequest) -> [UInt8]? {
    switch (form, other.form) {
    case (.get(let key, let epoch), .get(_, let other)): epoch === other ? key : nil
    case (.read(let key, let slot), .read(_, let other)): slot == other ? key : nil
    default: nil
    }
  }

  /// Returns this request with another receiver.
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

/// The failure of a request: an error of the server or the connection, or a timeout.
enum RedisFailure: Error, Equatable {
  case error(RedisError)
  case timedOut
}
