import Strata

/// A client of one server or of a cluster. All threads share the client.
protocol RedisClient: Sendable, AnyObject, CustomStringConvertible {
  var settings: RedisSettings { get }

  /// Whether requests take effect in the order in which `send` is called.
  var keepsOrder: Bool { get }

  /// Sends a request to the server that stores a key. ``RedisRequest/Receive`` describes the
  /// answer.
  func send(_ request: RedisRequest, key: [UInt8])

  /// Reports the writes of other clients to a follower, as long as this client exists.
  func follow(_ follower: RedisFollower)

  /// Returns the number of an epoch for use in a script. Begins an epoch if the server has none.
  ///
  /// - Parameters:
  ///   - found: The number that a get has read, or `nil` if the get found no epoch.
  ///   - deadline: The time at which the request for the number times out.
  func number(of epoch: RedisEpoch, found: UInt64?, by deadline: Int64) -> Promise<UInt64>

  /// Returns the keys for a script that reads or writes a record. The keys include the key of the
  /// epoch if the server of the record also stores the epoch.
  func scriptKeys(_ name: [UInt8], _ epoch: RedisEpoch) -> [[UInt8]]
}

extension RedisClient {
  /// The deadline of a request that begins now, in nanoseconds of a monotonic clock.
  var deadline: Int64 {
    let end = runningNanoseconds().addingReportingOverflow(settings.deadlineNanoseconds)
    return end.overflow ? .max : end.partialValue
  }

  /// Sends a request.
  ///
  /// - Parameters:
  ///   - form: The form of the request.
  ///   - key: The key that selects the server.
  ///   - isRepeatable: Whether the server may receive the request twice.
  ///   - deadline: The time at which the request times out.
  ///   - size: The approximate size in bytes.
  func send(
    _ form: RedisRequest.Form, key: [UInt8], isRepeatable: Bool, by deadline: Int64, size: Int,
    receive: @escaping RedisRequest.Receive
  ) {
    let request = RedisRequest(
      form, isRepeatable: isRepeatable, deadline: deadline, size: size + 200, receive: receive)
    send(request, key: key)
  }

  /// Sends a command, and returns the server's reply. The default deadline is ``deadline``.
  func command(
    _ arguments: [[UInt8]], key: [UInt8] = [], isRepeatable: Bool, by deadline: Int64? = nil
  ) -> Promise<RedisReply> {
    Promise { continuation in
      let size = arguments.reduce(0) { $0 + $1.count }
      send(
        .command { $0.request(arguments) }, key: key, isRepeatable: isRepeatable,
        by: deadline ?? self.deadline, size: size
      ) { _, answer in
        continuation.settle(answer)
      }
    }
  }
}

extension Promise.Continuation {
  /// Settles the promise with the answer from a server.
  func settle(_ answer: Result<Value, RedisFailure>) {
    switch answer {
    case .success(let value): succeed(value)
    case .failure(.error(let error)): fail(error)
    case .failure(.timedOut): fail(CacheError.timedOut())
    }
  }
}
