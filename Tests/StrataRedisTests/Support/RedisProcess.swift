import Foundation
import Strata
import StrataRedis
import XCTest

/// A Redis server for tests, with a separate process, port, and directory.
///
/// The environment variable `STRATA_REDIS_SERVER` chooses the path of the server's program, such as
/// `/usr/bin/valkey-server`. With `STRATA_REDIS_TLS`, all tests connect with TLS.
final class RedisProcess {
  private static let environment = ProcessInfo.processInfo.environment

  static let executable =
    environment["STRATA_REDIS_SERVER"]
    ?? ["redis-server", "valkey-server"].lazy.flatMap { name in
      ["/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + name }
    }.first { access($0, X_OK) == 0 }

  /// The certificate of all servers in a test run that uses TLS everywhere, or `nil`. The client
  /// trusts its authority through the variable that OpenSSL reads.
  private static let everywhere = Result { () -> Certificates.Pair? in
    guard environment["STRATA_REDIS_TLS"] != nil else { return nil }
    let certificates = try Certificates.shared()
    setenv("SSL_CERT_FILE", certificates.file, 1)
    return try certificates.loopback()
  }

  /// Returns a server that all tests share. Each test uses a different key prefix.
  static func shared() throws -> RedisProcess { try sharedProcess.get() }

  nonisolated(unsafe) private static let sharedProcess = Result {
    let process = try RedisProcess()
    atexit { try? RedisProcess.shared().stop() }
    return process
  }

  let port: UInt16
  /// The port for TLS, or `nil` if the server doesn't use TLS.
  let securePort: UInt16?
  let folder: URL
  private let options: [String]
  /// Servers of a cluster learn each other's second port while replicas already synchronize. A server
  /// that begins again without a file then waits forever.
  private static let secureCluster = [
    "--tls-cluster", "yes", "--tls-replication", "yes", "--repl-diskless-sync", "no",
  ]
  private var process: Process?

  /// - Throws: `XCTSkip` if no server is installed.
  convenience init(_ options: String...) throws {
    try self.init(options: options)
    try start()
  }

  /// Prepares a server without starting it.
  ///
  /// - Throws: `XCTSkip` if no server is installed.
  init(options: [String], tls: Certificates.Pair? = nil) throws {
    guard Self.executable != nil else {
      throw XCTSkip("redis-server isn't installed: apt-get install redis-server")
    }
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "strata-redis-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    port = try Self.freePort()
    guard let pair = try tls ?? Self.everywhere.get() else {
      (securePort, self.options) = (nil, options)
      return
    }
    let securePort = try Self.freePort()
    self.securePort = securePort
    // The options of a test follow, so they can replace these.
    self.options =
      [
        "--tls-port", "\(securePort)", "--tls-cert-file", pair.certificate, "--tls-key-file",
        pair.key, "--tls-ca-cert-file", try Certificates.shared().file, "--tls-auth-clients", "no",
      ]
      + (options.contains("--cluster-enabled")
        ? Self.secureCluster : []) + options
  }

  deinit { stop() }

  var address: String { address(port: securePort ?? port) }

  /// The address of a proxy in front of the server, at the given port.
  func address(port: UInt16) -> String {
    (securePort == nil ? "redis" : "rediss") + "://127.0.0.1:\(port)"
  }
  var socketPath: String { folder.appendingPathComponent("s").path }
  var processID: Int32 { process?.processIdentifier ?? 0 }

  /// Starts the server, and waits until it answers.
  func start() throws {
    try launch()
    try waitUntilReady()
  }

  /// Starts the server without waiting for it.
  func launch() throws {
    guard let executable = Self.executable else { throw CocoaError(.executableNotLoadable) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments =
      [
        "--port", "\(port)", "--bind", "127.0.0.1", "--unixsocket", socketPath, "--dir",
        folder.path, "--save", "", "--appendonly", "no", "--loglevel", "warning", "--logfile",
        "log", "--enable-debug-command", "yes",
      ] + options
    // A server can outlive tests that crash. It must not hold their output open, because the command
    // that reads the output would wait for it.
    let output = folder.appendingPathComponent("output")
    try Data().write(to: output)
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = process.standardOutput
    try process.run()
    self.process = process
  }

  private func waitUntilReady() throws {
    for _ in 0..<24_000 {
      if let client = RawClient(port: port) {
        let reply = client.send("PING")
        if reply.hasPrefix("+PONG") || reply.hasPrefix("-NOAUTH") { return }
      }
      usleep(5000)
    }
    throw CocoaError(.executableLoad)
  }

  /// Kills the server's process, like `kill -9`.
  func stop() {
    guard let process else { return }
    self.process = nil
    kill(process.processIdentifier, SIGCONT)
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  func remove() {
    stop()
    try? FileManager.default.removeItem(at: folder)
  }

  private static let usedPorts = Lock(Set<UInt16>())

  /// Returns a free port. The port is below the range that systems use for outgoing connections.
  ///
  /// No test process gets this port until this process ends. A server opens its port only some time
  /// after this call, and a test may stop its server and start it again.
  static func freePort() throws -> UInt16 {
    for _ in 0..<1_000 {
      let port = UInt16.random(in: 15_000..<32_000)
      guard usedPorts.withLock({ $0.insert(port).inserted }), reserve(port),
        (try? ListeningSocket(port: port)) != nil
      else { continue }
      return port
    }
    throw CocoaError(.fileReadUnknown)
  }

  #if canImport(Glibc)
    /// A file that all test processes on this machine share. A process that uses a port holds the
    /// lock of the byte at the offset of the port's number.
    private static let portLocks = open(
      FileManager.default.temporaryDirectory.appendingPathComponent("strata-test-ports").path,
      O_RDWR | O_CREAT | O_CLOEXEC, 0o666)

    private static func reserve(_ port: UInt16) -> Bool {
      var range = flock()
      (range.l_type, range.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
      (range.l_start, range.l_len) = (off_t(port), 1)
      return fcntl(portLocks, F_SETLK, &range) == 0
    }
  #else
    /// Always returns `true`. On Linux only, several processes run the tests at the same time.
    private static func reserve(_ port: UInt16) -> Bool { true }
  #endif
}
