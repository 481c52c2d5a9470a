import StrataCore

/// The settings of a connection.
struct RedisSettings: Sendable {
  var address: Result<RedisAddress, RedisError>
  /// The source of the TLS context, or `nil` for connections without TLS.
  let tls: TLSContexts?
  var clientName: String
  /// The maximum duration of a request, and of an attempt to connect.
  var deadline: Duration
  /// The duration of silence after which the client sends a heartbeat, if the server reports writes
  /// on the connection.
  var heartbeat: Duration = .seconds(1)
  /// The duration of silence after which the client sends a heartbeat over any connection.
  var keepalive: Duration = .seconds(15)
  /// The longest delay before an attempt to connect.
  var longestDelay: Duration = .seconds(5)
  /// The sentinels to ask for the server's address, or `nil` if `address` contains it.
  var sentinels: RedisSentinels?
  /// Finds the addresses of a server, and may block for any time.
  var findRoute: @Sendable (RedisAddress.Endpoint, TLSContexts?) throws(RedisError) -> RedisRoute =
    { (endpoint, tls) throws(RedisError) in try RedisRoute(to: endpoint, tls) }
  /// A closure that receives changes of state, on the connection's thread.
  var onEvent: (@Sendable (RedisEvent) -> Void)?
  var limits = RedisMailbox.Limits()
  /// Whether the client reads from the server even if the server is a replica.
  var readsReplica = false
  /// Whether the server keeps all writes when it restarts.
  var isPersistent = false
  let sizes = RedisSizes()
  /// A closure that a cluster's connection calls when its server has restarted.
  var noticeRestart: (@Sendable () -> Void)?
  /// A closure that receives the reply to each heartbeat. In a cluster, the reply contains the
  /// topology.
  var receiveTopology: (@Sendable (RedisReply) -> Void)?

  init(
    address: Result<RedisAddress, RedisError>, tls: RedisTLS? = nil,
    _ deadline: Duration = .seconds(1), _ queueLimit: Int = 10_000,
    _ clientName: String = "strata"
  ) {
    let usesTLS = (try? address.get())?.usesTLS == true
    self.tls = usesTLS ? tls.map { TLSContexts($0) } ?? .system : nil
    (self.address, self.deadline, self.clientName) = (address, deadline, clientName)
    limits.requests = max(1, queueLimit)
  }

  /// The address as users see it, without the user name and the password.
  var label: String {
    switch address {
    case .success(let address): sentinels?.description ?? address.endpoint.description
    case .failure: "invalid address"
    }
  }

  var deadlineNanoseconds: Int64 { max(1_000_000, deadline.shortNanoseconds) }

  func heartbeatNanoseconds(isTracking: Bool) -> Int64 {
    let interval = isTracking ? min(heartbeat, keepalive) : keepalive
    return max(1_000_000, interval.shortNanoseconds)
  }

  /// Returns the delay in nanoseconds after a number of failed attempts.
  ///
  /// The delay begins at 50 ms and doubles with each attempt, up to `longestDelay`. Then a random
  /// part of the delay, at most half, is subtracted.
  func backoff(_ attempts: Int) -> Int64 {
    let limit = max(1_000_000, longestDelay.shortNanoseconds)
    let longest = min(limit, Int64(50_000_000) << min(attempts, 30))
    return .random(in: longest / 2...longest)
  }
}

extension Duration {
  /// The duration in nanoseconds, clamped to 36 years in either direction. The sum of a time and
  /// three such durations doesn't overflow.
  var shortNanoseconds: Int64 { max(-1 << 60, min(wholeNanoseconds, 1 << 60)) }
}
