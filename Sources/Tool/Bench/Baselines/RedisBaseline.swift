import Foundation
import StrataRedis

/// A Redis server for benchmarks, and a minimal client that uses a blocking socket. This server
/// listens on a Unix socket in a temporary directory.
final class RedisBaseline: @unchecked Sendable {  // The benchmarks run one case at a time.
  let address: String
  private let process: Process
  private let ended = DispatchSemaphore(value: 0)
  private let directory: TemporaryDirectory
  private let descriptor: Int32
  private var buffer = [UInt8](repeating: 0, count: 4 << 20)

  /// The path of the installed server, or `nil` if no server is installed.
  static var executable: String? {
    ["/usr/bin/redis-server", "/usr/bin/valkey-server", "/usr/local/bin/redis-server"]
      .first(where: FileManager.default.isExecutableFile)
  }

  /// Returns `nil` if no server is installed or the server doesn't start.
  init?() throws {
    guard let executable = Self.executable else { return nil }
    directory = try TemporaryDirectory()
    let path = directory.url.appendingPathComponent("s").path
    process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = [
      "--port", "0", "--unixsocket", path, "--dir", directory.url.path, "--save", "",
    ]
    process.standardOutput = FileHandle.nullDevice
    process.terminationHandler = { [ended] _ in ended.signal() }
    try process.run()
    address = "unix://" + path
    var connection: Int32 = -1
    for _ in 0..<500 where connection < 0 {
      usleep(10_000)
      connection = Self.connected(to: path)
    }
    descriptor = connection
    if descriptor < 0 { return nil }
  }

  deinit {
    _ = close(descriptor)
    // The server inherits the blocked signals of this process, such as SIGTERM. SIGKILL can't be
    // blocked, and the server has no data to save.
    kill(process.processIdentifier, SIGKILL)
    ended.wait()  // `waitUntilExit` might hang if another thread called `run`.
    directory.remove()
  }

  private static func connected(to path: String) -> Int32 {
    let descriptor = socket(AF_UNIX, SocketCalls.stream, 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if status == 0 { return descriptor }
    _ = close(descriptor)
    return -1
  }

  /// Sends the requests with one system call, and reads until the given number of bytes has
  /// arrived.
  func exchange(_ requests: [UInt8], bytes: Int) {
    _ = requests.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    var rest = bytes
    while rest > 0 {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count <= 0 { return }
      rest -= count
    }
  }

  /// Returns the encoded request for a command and its arguments.
  static func request(_ words: [Data]) -> [UInt8] {
    var bytes = Array("*\(words.count)\r\n".utf8)
    for word in words { bytes += Array("$\(word.count)\r\n".utf8) + word + [13, 10] }
    return bytes
  }
}
