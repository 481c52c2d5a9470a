#if canImport(Network)
  import Foundation
  import Network
  import StrataCore

  /// A TLS connection to a server, which the client uses through a pair of local sockets.
  ///
  /// The connection's thread uses the first socket of the pair as if the server were at its other
  /// end. But at the other end is the tunnel, which transfers bytes between the second socket and
  /// the system's TLS connection.
  final class TLSTunnel: Sendable {
    private let connection: NWConnection
    private let host: String
    private let end: Int32
    private let queue: DispatchQueue
    private let reason: Lock<RedisError?>

    /// Starts connecting, and returns the caller's end of the socket pair. The caller can write to it
    /// immediately.
    static func connecting(
      to endpoint: RedisAddress.Endpoint, _ context: TLSContext, within nanoseconds: Int64
    ) throws(RedisError) -> RedisSocket {
      guard case .tcp(let host, let number) = endpoint,
        let port = NWEndpoint.Port(rawValue: number)
      else { throw .invalidAddress("TLS needs a host") }
      let (queue, reason) = (DispatchQueue(label: "strata.redis.tls"), Lock<RedisError?>(nil))
      let options = try context.options(for: host, on: queue) { error in
        reason.withLock { $0 = $0 ?? error }
      }
      var ends: [Int32] = [-1, -1]
      guard socketpair(AF_UNIX, SocketCalls.stream, 0, &ends) == 0 else {
        throw .unreachable(String(cString: strerror(errno)))
      }
      for end in ends {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        SocketCalls.disableSignals(of: end)
        var size: Int32 = 128 << 10
        setsockopt(end, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
      }
      _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
      let tunnel = TLSTunnel(host, port, options, ends[1], queue, reason)
      tunnel.start(within: nanoseconds)
      return RedisSocket(descriptor: ends[0], reason: { reason.withLock { $0 } })
    }

    private init(
      _ host: String, _ port: NWEndpoint.Port, _ tls: NWProtocolTLS.Options, _ end: Int32,
      _ queue: DispatchQueue, _ reason: Lock<RedisError?>
    ) {
      let options = NWProtocolTCP.Options()
      (options.noDelay, options.enableKeepalive) = (true, true)
      let parameters = NWParameters(tls: tls, tcp: options)
      connection = NWConnection(host: NWEndpoint.Host(host), port: port, using: parameters)
      (self.host, self.end, self.queue, self.reason) = (host, end, queue, reason)
    }

    deinit { _ = closeEnd(end) }

    /// Starts the connection, whose state handler retains the tunnel until the connection is
    /// cancelled.
    private func start(within nanoseconds: Int64) {
      connection.stateUpdateHandler = { [self] state in
        switch state {
        case .ready:
          Thread.detachNewThread { [self] in carryRequests() }
          carryReplies()
        case .waiting(let error), .failed(let error): finish(error)
        case .cancelled: connection.stateUpdateHandler = nil
        default: break
        }
      }
      connection.start(queue: queue)
      queue.asyncAfter(deadline: .now() + .nanoseconds(Int(max(0, nanoseconds)))) { [weak self] in
        guard let self, connection.state != .ready else { return }
        finish(
          .tls(
            "the server hasn't answered the TLS handshake in time. Check that the server uses TLS on "
              + "this port"))
      }
    }

    /// Closes the tunnel in both directions. Errors contain the reason from the first call.
    private func finish(_ error: RedisError) {
      reason.withLock { $0 = $0 ?? error }
      shutdown(end, SHUT_RDWR)
      connection.cancel()
    }

    private func finish(_ error: NWError) {
      if case .tls(let status) = error {
        return finish(.tls(TLSStatus.text(Int(status), host: host)))
      }
      finish(.unreachable("\(error)"))
    }

    /// Sends the bytes that the connection's thread writes, piece by piece. Reads a piece only when
    /// the system has accepted the one before.
    private func carryRequests() {
      var bytes = [UInt8](repeating: 0, count: 64 << 10)
      let isTaken = DispatchSemaphore(value: 0)
      while true {
        let count = recv(end, &bytes, bytes.count, 0)
        if count < 0, errno == EINTR { continue }
        if count <= 0 { return finish(.connectionLost("it was closed")) }
        connection.send(
          content: Data(bytes[..<count]), completion: .contentProcessed { _ in isTaken.signal() })
        isTaken.wait()
      }
    }

    /// Receives the server's bytes, and passes them to the connection's thread.
    private func carryReplies() {
      connection.receive(minimumIncompleteLength: 1, maximumLength: 128 << 10) {
        [self] data, _, isComplete, error in
        if let data, !deliver(data) { return finish(.connectionLost("it was closed")) }
        if let error { return finish(error) }
        if isComplete { return finish(.connectionLost(RedisError.closedByServer)) }
        carryReplies()
      }
    }

    private func deliver(_ data: Data) -> Bool {
      data.withUnsafeBytes { bytes in
        var rest = bytes
        while !rest.isEmpty {
          let count = send(end, rest.baseAddress, rest.count, SocketCalls.sendFlags)
          if count < 0, errno == EINTR { continue }
          if count <= 0 { return false }
          rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
        return true
      }
    }
  }

  private let closeEnd = close(_:)
#endif
