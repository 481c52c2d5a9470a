import Foundation
import Strata
import StrataExplain
import StrataHTTP

extension Command {
  /// The command that runs a caching proxy in front of an origin.
  static let proxy = Command(
    name: "proxy",
    summary: "Cache the responses of an origin on disk, according to RFC 9111",
    purpose: "How do I work while an API is slow, metered, or down? Put a cache in front of it.",
    arguments: [
      "ORIGIN", "[--port N]", "[--folder F]", "[--capacity B]", "[--host NAME,…]…", "[--upload B]",
      "[--deadline S]", "[--shared]", "[--offline]", "[--status PORT]",
    ],
    options: [
      "ORIGIN        scheme, host, and port, such as https://api.example.com",
      "--port N      the port on 127.0.0.1, or 0 for a port that the system chooses (8080)",
      "--folder F    the directory of the responses (in the user's caches directory)",
      "--capacity B  the maximum number of bytes in the directory (100000000)",
      "--host NAME,… other names under which clients may call the proxy (this machine's names only)",
      "--upload B    the maximum number of bytes in the body of a request (10000000000)",
      "--deadline S  the seconds within which a response must be complete, or begin to stream (60)",
      "--shared      follow the rules for a cache that several users share (a private cache)",
      "--offline     serve only from the directory, even stale responses (off)",
      "--status PORT serve a page about the proxy on this port of 127.0.0.1, or 0 for any (no page)",
    ],
    notes: [
      "Prints the address, the directory, and one line for each request. The line begins with the",
      "outcome: hit, revalidated, miss, passed, refused, or failed. Clients receive the same outcome",
      "in the field Cache-Status. While the origin can't be reached, the proxy serves stale responses",
      "if RFC 9111 permits it. The proxy streams the responses that it doesn't store, such as event",
      "streams and bodies over 64 MiB. It refuses requests whose Host or Origin isn't a name of this",
      "machine or of --host.",
      "An interrupt ends the proxy cleanly. The next run continues with the same directory, but runs",
      "with and without --shared have separate directories.",
    ],
    run: { arguments, console in
      let options = try ProxyOptions(arguments)
      let storage = try options.storage()
      let cache = options.cache(in: storage)
      let status = options.liveStatus(of: cache)
      let proxy = try options.start(cache, counting: status) { try? console.print($0) }
      let server = try options.status.map { port in
        try StatusServer(port: port) { status.page }
      }
      Interruption.beforeEnd {
        server?.stop()
        proxy.stop()
      }
      try console.print("http://127.0.0.1:\(proxy.port)/ for \(options.origin.absoluteString)")
      try console.print("responses are stored in \(storage.path)")
      if let server { try console.print("the status page is \(server.address)") }
      while true {
        try await Task.sleep(for: server == nil ? .seconds(3600) : StatusServer.interval)
        status.note()
      }
    })
}

extension ProxyOptions {
  /// Opens the directory of the responses, and checks that it accepts a response.
  ///
  /// - Throws: A ``FileFault`` if the proxy could store nothing, for example because a file is at
  ///   the directory's place or the volume is full.
  func storage() throws -> DiskStorage {
    let storage = DiskStorage(storeName, in: directory, capacity: capacity)
    let probe = Cache<String, Data>.disk(storage, offMainThread: false)
    do {
      try storage.open()
      if isOffline { return storage }
      try probe.set("strata-tool probe", Data(count: 1024)).wait(for: .seconds(30))
      try probe.remove("strata-tool probe").wait(for: .seconds(30))
    } catch {
      let reason = "\(error)"
      throw FileFault(
        "the responses can't be stored in \(storage.path): \(reason)\(reason.hasSuffix(".") ? "" : ".") "
          + "To use another directory: --folder F")
    }
    return storage
  }

  /// Returns the cache of the proxy, which stores its responses in `storage`.
  func cache(in storage: DiskStorage) -> HTTPCache {
    let (isOffline, policy) = (isOffline, HTTPCachePolicy(isShared: isShared))
    return HTTPCache(
      storedIn: .disk(storage),
      from: .responses(
        session: NetworkSession(connectionsPerHost: 256, decodesBodies: false),
        maximumSize: maximumStored, deadline: .seconds(deadline),
        maximumRedirects: 0
      ) { ProxyStreaming.isWanted(for: $0, $1, policy) },
      policy: policy, isOffline: { _ in isOffline })
  }

  /// Returns the counts of a proxy with the gauges of its cache.
  func liveStatus(of cache: HTTPCache) -> LiveStatus {
    let title = "Proxy for \(origin.absoluteString)"
    return LiveStatus(of: cache.plan, title: title) { cache.responses.gauges }
  }

  /// Starts the proxy.
  func start(
    _ cache: HTTPCache, counting status: LiveStatus? = nil,
    log: @escaping @Sendable (String) -> Void
  ) throws -> Proxy {
    try Proxy(
      ProxyHandler(cache, origin: origin, hosts: hosts, status: status, log: log), port: port,
      limits: ProxyReader.Limits(body: upload))
  }
}
