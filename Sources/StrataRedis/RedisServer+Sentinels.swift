import StrataCore

extension RedisServer {
  /// Creates a client for a primary that sentinels watch. At each attempt to connect, the client
  /// gets the primary's address from them, so it follows a failover.
  ///
  ///     let redis = try RedisServer(
  ///       sentinels: ["redis://a.internal:26379", "redis://b.internal:26379"], primary: "articles")
  ///
  /// The client tries the sentinels in order until one answers, and begins with the one that has
  /// answered last. Its connection to a sentinel ends with the answer. But a failover can lose writes that
  /// the new primary hasn't received. Then a get might return the earlier value of such a key.
  ///
  /// - Parameters:
  ///   - sentinels: The addresses of the sentinels, with their own user names and passwords, if
  ///     any.
  ///   - primary: The name under which the sentinels know the primary.
  ///   - user: The user name for the primary. The default is the default user.
  ///   - password: The password for the primary. Don't escape any character, unlike in an address.
  ///   - database: The database of the primary.
  ///   - tls: The settings of TLS for the sentinels and the primary. If you pass settings, the
  ///     client always uses TLS. If you don't, it uses TLS for all of them if the addresses begin
  ///     with `rediss`. If the sentinels announce IP addresses, pass a ``RedisTLS/serverName``.
  ///   - deadline: The maximum duration of a request, and of an attempt to connect. The default is
  ///     one second.
  ///   - queueLimit: The maximum number of requests that are waiting or in flight. The default is
  ///     10,000.
  ///   - persistsWrites: Whether the primary stores each write durably before it replies.
  ///   - clientName: The name of the connection.
  ///   - keepalive: The duration of silence after which the client sends a request to keep the
  ///     connection open.
  ///   - longestDelay: The longest delay before the client tries again to connect.
  ///   - onEvent: Receives each change of the state of the connection to the primary.
  /// - Throws: ``RedisError/invalidAddress(_:)`` if an address isn't valid for a sentinel.
  public init(
    sentinels: [String], primary: String, user: String? = nil, password: String? = nil,
    database: Int = 0, tls: RedisTLS? = nil, deadline: Duration = .seconds(1),
    queueLimit: Int = 10_000, persistsWrites: Bool = false, clientName: String = "strata",
    keepalive: Duration = .seconds(15), longestDelay: Duration = .seconds(5),
    onEvent: (@Sendable (RedisEvent) -> Void)? = nil
  ) throws(RedisError) {
    let seeds = try RedisAddress.cluster(sentinels, tls: tls, of: "list of sentinels")
    let address = RedisAddress(
      .tcp(host: primary, port: 6379), user: user, password: password, database: database,
      usesTLS: seeds[0].usesTLS)
    var settings = RedisSettings(
      address: .success(address), tls: tls, deadline, queueLimit, clientName)
    settings.isPersistent = persistsWrites
    (settings.keepalive, settings.longestDelay) = (keepalive, longestDelay)
    settings.onEvent = onEvent
    let each = seeds.map { seed in
      var sentinel = settings
      (sentinel.address, sentinel.isPersistent) = (.success(seed), true)
      sentinel.onEvent = nil
      return sentinel
    }
    settings.sentinels = RedisSentinels(each, primary: primary)
    client = RedisConnection(settings)
  }
}
