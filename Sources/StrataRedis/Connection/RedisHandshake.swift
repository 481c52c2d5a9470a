/// The first requests of a connection, and their replies. All these requests are sent in one write
/// to the socket.
///
/// A connection without encryption that needs a password is the exception: it sends the password
/// only after the server has answered a request. So a server that expects TLS never receives the
/// password in plain text.
struct RedisHandshake {
  private enum Step {
    case probe, authentication, hello, name, library, database, run, address, kill, replica
    case tracking, role
  }

  /// How a server identifies a connection. The number alone isn't enough, because a restarted
  /// server gives the same numbers to other connections.
  struct Identity: Equatable {
    let id: Int64
    /// The address of the client, as the server sees it.
    let address: String
  }

  /// The results of the handshake.
  struct Result {
    /// The server's ID for this connection.
    var id: Int64?
    /// The client's address, as the server sees it, or `nil` if the server doesn't report it.
    var address: String?
    var isTracking = false
    /// Whether the connection uses RESP3, so the server can report writes.
    var sendsReports = false
    var version: String?
    /// The ID of the server's run, or `nil` if the server doesn't report it.
    var run: [UInt8]?

    /// Returns the identity of the connection, or `nil` if it isn't known.
    func identity(from socket: RedisSocket) -> Identity? {
      guard let id, let address = address ?? socket.localAddress else { return nil }
      return Identity(id: id, address: address)
    }
  }

  private var steps: [Step] = []
  private var request = RequestEncoder()
  /// The requests to send after the server has answered the first one.
  private var later: [UInt8] = []
  private(set) var result = Result()
  /// Whether this is a TCP connection without encryption, so the server might expect TLS.
  private let isPlain: Bool
  private var hasReceived = false

  /// - Parameters:
  ///   - earlier: The identity of the connection that the new one replaces. The handshake makes the
  ///     server close the old connection and drop its unread requests, so a delayed write can't
  ///     overwrite a newer value.
  ///   - readsReplica: Whether a replica should return values itself, instead of redirecting gets
  ///     to the primary.
  ///   - wantsRun: Whether to read the ID of the server's run.
  ///   - needsPrimary: Whether the server must be a primary, as it's the one that the sentinels
  ///     have named.
  ///   - prefixes: The prefixes to follow, which don't overlap.
  init(
    _ address: RedisAddress, name: String, replacing earlier: Identity?, readsReplica: Bool,
    wantsRun: Bool, needsPrimary: Bool = false, following prefixes: [[UInt8]]
  ) {
    if case .tcp = address.endpoint, !address.usesTLS { isPlain = true } else { isPlain = false }
    if let password = address.password {
      add(.authentication, "AUTH", [address.user].compactMap { $0 } + [password.revealed])
    }
    // HELLO doesn't contain the password, because a server without this command would quote it in
    // an error.
    add(.hello, "HELLO", ["3"])
    add(.name, "CLIENT", ["SETNAME", name])
    add(.library, "CLIENT", ["SETINFO", "LIB-NAME", "strata"])
    if address.database != 0 { add(.database, "SELECT", ["\(address.database)"]) }
    if wantsRun { add(.run, "INFO", ["server"]) }
    add(.address, "CLIENT", ["INFO"])
    if let earlier {
      add(.kill, "CLIENT", ["KILL", "ID", "\(earlier.id)", "ADDR", earlier.address])
    }
    if needsPrimary { add(.role, "ROLE", []) }
    if readsReplica { add(.replica, "READONLY", []) }
    if !prefixes.isEmpty {
      steps.append(.tracking)
      request.request(Self.tracking(prefixes))
    }
    if isPlain, address.password != nil {
      later = request.bytes
      request = RequestEncoder()
      request.request("HELLO", "3")
      steps.insert(.probe, at: 0)
    }
  }

  static func tracking(_ prefixes: [[UInt8]]) -> [[UInt8]] {
    ["CLIENT", "TRACKING", "ON", "BCAST"].map { Array($0.utf8) }
      + prefixes.flatMap { [Array("PREFIX".utf8), $0] }
  }

  var isComplete: Bool { steps.isEmpty }

  /// Returns the bytes to send next.
  mutating func takeRequest() -> [UInt8] {
    defer { request = RequestEncoder() }
    return request.bytes
  }

  /// Processes the next reply.
  ///
  /// - Throws: The error, if the reply shows that the connection can't be used.
  mutating func receive(_ reply: RedisReply) throws(RedisError) {
    let step = steps.removeFirst()
    if step == .probe {
      request.append(encoded: later)
      later = []
    }
    guard case .failure(let bytes) = reply else {
      if step == .hello {
        if case .integer(let id)? = reply["id"] { result.id = id }
        result.sendsReports = reply["proto"] == .integer(3)
        result.version = reply["version"]?.string
      }
      if step == .run { result.run = Self.run(in: reply) }
      if step == .address { result.address = Self.address(in: reply.string ?? "") }
      if step == .role, reply.elements?.first?.string != "master" {
        throw .unreachable("the sentinels have named a replica, because a failover isn't over yet")
      }
      if step == .tracking { result.isTracking = true }
      return
    }
    let error = RedisError(reply: bytes)
    guard case .server(let code, let message) = error else { throw error }
    if ["LOADING", "BUSY", "MASTERDOWN"].contains(code) { throw error }
    if code == "ERR", message.hasPrefix("max number") { throw error }
    switch step {
    case .authentication, .database: throw .refused("\(code) \(message)")
    case .hello where code == "NOAUTH": throw error
    // Ignores the failure of an optional request, because a server can store values without RESP3
    // or client names.
    default: break
    }
  }

  /// Returns the ID of the run in the reply to `INFO server`.
  private static func run(in reply: RedisReply) -> [UInt8]? {
    let lines = reply.string?.split(whereSeparator: \.isNewline)
    return lines?.first { $0.hasPrefix("run_id:") }.map { Array($0.dropFirst(7).utf8) }
  }

  /// Returns the field `addr` of a line such as `id=7 addr=127.0.0.1:50000 …`. The result is `nil`
  /// for a Unix socket, because there, all clients have the same address with the port 0.
  private static func address(in line: String) -> String? {
    let field = line.split(separator: " ").first { $0.hasPrefix("addr=") }
    return field.map { String($0.dropFirst(5)) }.flatMap { $0.hasSuffix(":0") ? nil : $0 }
  }

  private mutating func add(_ step: Step, _ command: String, _ arguments: [String]) {
    steps.append(step)
    request.begin(1 + arguments.count)
    request.append(command)
    for argument in arguments { request.append(argument) }
  }
}

extension RedisHandshake /* : servers that expect TLS */ {
  /// Returns an error if the first bytes of the server are a TLS alert.
  mutating func fault(in bytes: UnsafeRawBufferPointer) -> RedisError? {
    defer { hasReceived = true }
    let (alert, majorVersion): (UInt8, UInt8) = (21, 3)
    guard isPlain, !hasReceived, bytes.count > 1, bytes[0] == alert, bytes[1] == majorVersion else {
      return nil
    }
    return .tls("the server expects TLS on this port. Use rediss instead of redis in the address")
  }

  /// Returns the error for a connection that has ended during the handshake. Usually, the server
  /// expects TLS: it then ends a plain connection without an answer.
  func fault(of error: RedisError) -> RedisError {
    guard isPlain, !hasReceived, case .connectionLost(let reason) = error else { return error }
    return .refused(
      "it ended the connection before its first reply (\(reason)). If it expects TLS, use rediss "
        + "instead of redis in the address")
  }
}
