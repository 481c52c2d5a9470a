import StrataCore

/// The settings of a connection.
struct RedisSettings: Sendable {
  var address: Result<RedisAddress, RedisError>
  var clientName: String
  /// The maximum duration of a request, and of an attempt to connect.
  var deadline: Duration
  /// The duration of silence after which the client sends a heartbeat. The client sends heartbeats
  /// only over a connection on which the server reports writes.
  var heartbeat: Duration = .seconds(1)
  var limits = RedisMailbox.Limits()
  /// Whether the client reads from the server even if the server is a replica.
  var readsReplica = false
  /// Whether the server loses no write, even if it restarts.
  var isPersistent = false
  let sizes = RedisSizes()
  /// A closure that a cluster's connection calls when its server has restarted.
  var noticeRestart: (@Sendable () -> Void)?
  /// A closure that receives the reply to each heartbeat. In a cluster, the reply contains the
  /// topology.
  var receiveTopology: (@Sendable (RedisReply) -> Void)?

  init(
    address: Result<RedisAddress, RedisError>, _ deadline: Duration = .seconds(1),
    _ queueLimit: Int = 10_000, _ clientName: String = "strata"
  ) {
    (self.address, self.deadline, self.clientName) = (address, deadline, clientName)
    limits.requests = max(1, queueLimit)
  }

  var deadlineNanoseconds: Int64 { max(1_000_000, deadline.shortNanoseconds) }
  var heartbeatNanoseconds: Int64 { max(1_000_000, heartbeat.shortNanoseconds) }

  /// Returns the delay in nanoseconds after a number of failed attempts.
  ///
  /// The delay begins at 50 ms and doubles with each attempt, up to 5 s. The function then
  /// subtracts a random amount, which is at most half of the delay.
  func backoff(_ attempts: Int) -> Int64 {
    let longest = min(5_000_000_000, Int64(50_000_000) << min(attempts, 7))
    return .random(in: longest / 2...longest)
  }
}

extension Duration {
  /// The duration in nanoseconds, clamped to 36 years in either direction. The sum of a time and
  /// three such durations doesn't overflow.
  var shortNanoseconds: Int64 { max(-1 << 60, min(wholeNanoseconds, 1 << 60)) }
}
