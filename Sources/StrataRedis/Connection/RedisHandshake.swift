/// The first requests of a connection, and their replies. The client sends all requests of a
/// handshake in one write to the socket.
struct RedisHandshake {
  private enum Step {
    case authentication, hello, name, database, run, kill, replica, tracking
  }

  /// The results of the handshake.
  struct Result {
    /// The server's ID for this connection.
    var id: Int64?
    var isTracking = false
    var version: String?
    /// The ID of the server's run, or `nil` if the server doesn't tell it.
    var run: [UInt8]?
  }

  private var steps: [Step] = []
  private(set) var request = RequestEncoder()
  private(set) var result = Result()

  /// - Parameters:
  ///   - earlier: The ID of the connection that the new connection replaces. The server closes the
  ///     replaced connection and drops its unread requests, so a delayed write can't overwrite a
  ///     newer value.
  ///   - readsReplica: Whether a replica returns values itself instead of redirecting read requests
  ///     to the primary.
  ///   - wantsRun: Whether to read the ID of the server's run.
  ///   - prefixes: The prefixes to follow.
  init(
    _ address: RedisAddress, name: String, replacing earlier: Int64?, readsReplica: Bool,
    wantsRun: Bool, following prefixes: [[UInt8]]
  ) {
    if let password = address.password {
      add(.authentication, "AUTH", [address.user].compactMap { $0 } + [password.revealed])
    }
    // The HELLO command doesn't contain the password, because a server that doesn't know HELLO
    // would quote the password in its error.
    add(.hello, "HELLO", ["3"])
    add(.name, "CLIENT", ["SETNAME", name])
    if address.database != 0 { add(.database, "SELECT", ["\(address.database)"]) }
    if wantsRun { add(.run, "INFO", ["server"]) }
    if let earlier { add(.kill, "CLIENT", ["KILL", "ID", "\(earlier)"]) }
    if readsReplica { add(.replica, "READONLY", []) }
    guard !prefixes.isEmpty else { return }
    steps.append(.tracking)
    request.request(Self.tracking(Set(prefixes).sorted { $0.lexicographicallyPrecedes($1) }))
  }

  static func tracking(_ prefixes: [[UInt8]]) -> [[UInt8]] {
    ["CLIENT", "TRACKING", "ON", "BCAST"].map { Array($0.utf8) }
      + prefixes.flatMap { [Array("PREFIX".utf8), $0] }
  }

  var isComplete: Bool { steps.isEmpty }

  /// Processes the next reply.
  ///
  /// - Throws: An error if the reply shows that the connection can't be used.
  mutating func receive(_ reply: RedisReply) throws(RedisError) {
    let step = steps.removeFirst()
    guard case .failure(let bytes) = reply else {
      if step == .hello {
        if case .integer(let id)? = reply["id"] { result.id = id }
        result.version = reply["version"]?.string
      }
      if step == .run { result.run = Self.run(in: reply) }
      if step == .tracking { result.isTracking = true }
      return
    }
    let error = RedisError(reply: bytes)
    guard case .server(let code, let message) = error else { throw error }
    if ["LOADING", "BUSY", "MASTERDOWN"].contains(code) { throw error }
    switch step {
    case .authentication, .database: throw .refused("\(code) \(message)")
    case .hello where code == "NOAUTH": throw error
    case .hello where code == "ERR" && message.hasPrefix("max number"): throw error
    // Ignores the failure of an optional request, because a server without RESP3 or client names
    // can still store values.
    default: break
    }
  }

  /// Returns the ID of the run in the reply to `INFO server`.
  private static func run(in reply: RedisReply) -> [UInt8]? {
    let lines = reply.string?.split(whereSeparator: \.isNewline)
    return lines?.first { $0.hasPrefix("run_id:") }.map { Array($0.dropFirst(7).utf8) }
  }

  private mutating func add(_ step: Step, _ command: String, _ arguments: [String]) {
    steps.append(step)
    request.begin(1 + arguments.count)
    request.append(command)
    for argument in arguments { request.append(argument) }
  }
}
