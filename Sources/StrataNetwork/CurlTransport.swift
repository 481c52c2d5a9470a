#if canImport(CStrataCurl) && canImport(Glibc)
  import Foundation

  /// A transport that sends all requests with libcurl, over shared connections. One thread receives
  /// the responses.
  ///
  /// Its thread starts when the first request is sent. It ends once the transport is released and
  /// all requests have ended.
  final class CurlTransport: HTTPTransport {
    let decodesBodies = false
    private let curl: CurlLibrary
    private let commands = CurlCommands()
    private let settings: CurlSettings
    private let isStarted = Lock(false)

    init(_ curl: CurlLibrary, _ settings: CurlSettings) {
      (self.curl, self.settings) = (curl, settings)
    }

    deinit { commands.add { $0?.stop() } }

    func send(
      _ request: OutgoingRequest, to receiver: any ResponseReceiver
    ) -> @Sendable () -> Void {
      // Queues the request before the thread starts. When the thread can't serve requests, it
      // refuses this one.
      let id = commands.start(request, receiver)
      startThread()
      return { [commands] in commands.add { $0?.cancel(id) } }
    }

    private func startThread() {
      let isFirst = isStarted.withLock { isStarted in
        defer { isStarted = true }
        return !isStarted
      }
      guard isFirst else { return }
      let thread = Thread { [curl, commands, settings, isStarted] in
        if let loop = CurlLoop(curl, commands, settings) { return loop.run() }
        // The process has too many open files, so this thread refuses all queued requests. Later, a
        // new request starts a new thread.
        isStarted.withLock { $0 = false }
        commands.run(by: nil)
      }
      thread.name = "strata.network"
      thread.start()
    }
  }

  /// The limits of the shared connections.
  struct CurlSettings: Sendable {
    /// The maximum number of connections to one host. Further requests wait for a free connection.
    var connectionsPerHost: Int
    /// The time after which an idle connection is closed.
    var idleTimeout: Duration

    /// The maximum number of connections to all hosts together.
    var connections: Int { max(256, connectionsPerHost) }
  }
#endif
