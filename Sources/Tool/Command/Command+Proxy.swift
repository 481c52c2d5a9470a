import Foundation
import Strata
import StrataHTTP

extension Command {
  /// The command that runs a caching proxy in front of an origin.
  static let proxy = Command(
    name: "proxy",
    summary: "Cache the responses of an origin on disk, according to RFC 9111",
    arguments: [
      "ORIGIN", "[--port N]", "[--folder F]", "[--capacity B]", "[--shared]", "[--offline]",
    ],
    options: [
      "ORIGIN        scheme, host, and port, such as https://api.example.com",
      "--port N      the port on 127.0.0.1, or 0 for a port that the system chooses (8080)",
      "--folder F    the directory of the responses (in the user's caches directory)",
      "--capacity B  the maximum number of bytes in the directory (100000000)",
      "--shared      follow the rules for a cache that several users share (a private cache)",
      "--offline     serve only from the directory, even stale responses (off)",
    ],
    notes: [
      "Prints the address, and one line per request: hit, revalidated, miss, passed, or failed, with",
      "the reason. Clients receive the same outcome in the field Cache-Status. If the origin can't be",
      "reached, the proxy serves a stale response if RFC 9111 permits it. An interrupt ends the proxy",
      "cleanly. The next run continues with the same directory.",
    ],
    run: { arguments, console in
      let options = try ProxyOptions(arguments)
      let proxy = try options.start { try? console.print($0) }
      Interruption.beforeEnd { proxy.stop() }
      try console.print("http://127.0.0.1:\(proxy.port)/ for \(options.origin.absoluteString)")
      while true { try await Task.sleep(for: .seconds(3600)) }
    })
}

extension ProxyOptions {
  /// Starts the proxy.
  func start(log: @escaping @Sendable (String) -> Void) throws -> Proxy {
    let storage = DiskStorage(storeName, in: directory, capacity: capacity)
    let isOffline = isOffline
    let cache = HTTPCache(
      storedIn: .disk(storage: storage),
      from: .responses(
        session: NetworkSession(connectionsPerHost: 256, decodesBodies: false),
        maximumRedirects: 0),
      policy: HTTPCachePolicy(isShared: isShared), isOffline: { _ in isOffline })
    return try Proxy(ProxyHandler(cache, origin: origin, log: log), port: port)
  }
}
