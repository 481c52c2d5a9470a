import StrataCore

/// A client of one server or of a cluster. All threads share the client.
protocol RedisClient: Sendable, AnyObject, CustomStringConvertible {
  var settings: RedisSettings { get }

  /// The keys whose last write failed.
  var journal: RedisJournal { get }

  /// The followers to inform about what the levels of this client have found and stored.
  var witnesses: RedisWitnesses { get }

  /// The sizes of the values that gets have found.
  var sizes: RedisSizes { get }

  /// Whether requests take effect in the order in which `send` is called.
  var keepsOrder: Bool { get }

  /// Sends a request to the server that stores the request's key.
  func send(_ request: RedisRequest)

  /// Adds a level that a cluster notifies when one of its servers has restarted, as long as the
  /// level is in use. Clients of a single server ignore it, because their pipeline notices a restart
  /// by itself.
  func observeRestarts(_ level: RedisStore)

  /// Begins to remove the keys of the journal from the server.
  func repair()

  /// Checks that each server answers.
  func ping() -> Promise<Void>

  /// Refuses new requests. The promise succeeds when all requests have been answered and the
  /// connections are closed.
  func close() -> Promise<Void>

  var metrics: RedisMetrics { get }

  /// Adds a follower, which receives reports of writes until this client is deallocated.
  func follow(_ follower: RedisFollower)

  /// Forgets the followers whose caches were released.
  func forgetFollowers()

  /// Returns the epoch number to pass to a script. For a single server, the number is random, and
  /// the script uses it only if the server has no epoch. In a cluster, the number is `found`. When
  /// `found` is `nil`, the client reads the epoch, and begins one if there is none.
  ///
  /// - Parameters:
  ///   - found: The epoch that a get has read, or `nil` to read the epoch now.
  ///   - deadline: The time at which the request for the epoch times out.
  func number(of epoch: RedisEpoch, found: UInt64?, by deadline: Int64) -> Promise<UInt64>

  /// Returns the keys for a script that reads or writes a record: the record's key and, for a
  /// single server, the epoch's.
  func scriptKeys(_ name: [UInt8], _ epoch: RedisEpoch) -> [[UInt8]]
}

extension RedisClient {
  /// The deadline of a request that begins now, in nanoseconds of a monotonic clock.
  var deadline: Int64 { runningNanoseconds() + settings.deadlineNanoseconds }

  /// Sends a command, and returns the server's reply. The default deadline is ``deadline``.
  func command(
    _ arguments: [[UInt8]], key: [UInt8] = [], isRepeatable: Bool, by deadline: Int64? = nil
  ) -> Promise<RedisReply> {
    Promise { continuation in
      let size = arguments.reduce(0) { $0 + $1.count }
      send(
        RedisClosureRequest(
          .command { $0.request(arguments) }, name: key, isRepeatable: isRepeatable,
          deadline: deadline ?? self.deadline, size: size
        ) { answer, _ in continuation.settle(answer) })
    }
  }
}

extension Promise.Continuation {
  /// Settles the promise with a server's answer.
  func settle(_ answer: Result<Value, RedisFailure>) {
    switch answer {
    case .success(let value): succeed(value)
    case .failure(let failure): fail(failure.error)
    }
  }
}
