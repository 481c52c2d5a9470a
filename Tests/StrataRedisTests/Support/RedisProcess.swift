import Foundation
import Strata
import StrataRedis
import XCTest

/// A Redis server for tests, with a separate process, port, and directory.
final class RedisProcess {
  static let executable = ["redis-server", "valkey-server"].lazy.flatMap { name in
    ["/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + name }
  }.first { access($0, X_OK) == 0 }

  /// Returns a server that all tests share. Each test uses a different key prefix.
  static func shared() throws -> RedisProcess { try sharedProcess.get() }

  nonisolated(unsafe) private static let sharedProcess = Result {
    let process = try RedisProcess()
    atexit { try? RedisProcess.shared().stop() }
    return process
  }

  let port: UInt16
  let folder: URL
  private let options: [String]
  private var process: Process?

  /// - Throws: `XCTSkip` if no server is installed.
  convenience init(_ options: String...) throws {
    try self.init(options: options)
    try start()
  }

  /// Prepares a server without starting it.
  ///
  /// - Throws: `XCTSkip` if no server is installed.
  init(options: [String]) throws {
    guard Self.executable != nil else {
      throw XCTSkip("redis-server isn't installed: apt-get install redis-server")
    }
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "strata-redis-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    port = try Self.freePort()
    self.options = options
  }

  deinit { stop() }

  var address: String { "redis://127.0.0.1:\(port)" }
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

/// A socket that listens on the loopback interface, by default on any free port.
final class ListeningSocket: Sendable {
  let port: UInt16
  private let descriptor: Int32
  private let isStopped = Lock(false)

  init(port: UInt16 = 0) throws {
    let descriptor = socket(AF_INET, SocketCalls.stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 ? getsockname(descriptor, $0, &size) : -1
      }
    }
    guard status == 0, listen(descriptor, 128) == 0 else {
      _ = close(descriptor)
      throw CocoaError(.fileReadUnknown)
    }
    self.descriptor = descriptor
    self.port = UInt16(bigEndian: address.sin_port)
  }

  deinit { _ = close(descriptor) }

  /// Passes each connection to a closure, on another thread, until the socket is stopped.
  ///
  /// The thread owns the socket, so the system doesn't reuse the socket's descriptor before the
  /// thread has ended.
  func accept(_ serve: @escaping @Sendable (Int32) -> Void) {
    Thread.detachNewThread { [self] in
      while true {
        let connection = acceptPeer(descriptor, nil, nil)
        if isStopped.withLock({ $0 }) {
          if connection >= 0 { _ = close(connection) }
          return
        }
        if connection >= 0 { serve(connection) }
      }
    }
  }

  /// Ends the thread that accepts connections. On systems where shutting down the socket doesn't
  /// wake the thread, a new connection wakes the thread.
  func stop() {
    isStopped.withLock { $0 = true }
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
    if let connection = RawClient.connected(to: port) { _ = close(connection) }
  }
}

/// A blocking Redis connection that doesn't use the code under test.
final class RawClient {
  private let descriptor: Int32

  init?(port: UInt16) {
    guard let descriptor = Self.connected(to: port) else { return nil }
    self.descriptor = descriptor
  }

  static func connected(to port: UInt16) -> Int32? {
    let descriptor = socket(AF_INET, SocketCalls.stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    if status == 0 { return descriptor }
    _ = close(descriptor)
    return nil
  }

  deinit { _ = close(descriptor) }

  /// Sends a command, and returns the first bytes of its reply.
  @discardableResult
  func send(_ words: String...) -> String {
    var text = "*\(words.count)\r\n"
    for word in words { text += "$\(word.utf8.count)\r\n\(word)\r\n" }
    guard Self.write(Array(text.utf8), to: descriptor) else { return "" }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : ""
  }

  /// Returns the number of times that the server has run a command since `CONFIG RESETSTAT`.
  func calls(of command: String) -> Int? {
    let line = send("INFO", "commandstats").split(whereSeparator: \.isNewline)
      .first { $0.hasPrefix("cmdstat_\(command):calls=") }
    return line.flatMap { Int($0.split(whereSeparator: { "=,".contains($0) })[1]) }
  }

  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes {
      sendBytes(descriptor, $0.baseAddress, $0.count, SocketCalls.sendFlags) == $0.count
    }
  }
}

// The C functions `accept` and `send`. The classes `ListeningSocket` and `RawClient` have methods
// of the same names, so the classes call the C functions through these constants.
private let acceptPeer = accept(_:_:_:)
private let sendBytes = send(_:_:_:_:)
