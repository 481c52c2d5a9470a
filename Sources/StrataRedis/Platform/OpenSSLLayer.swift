#if canImport(Glibc)
  import Foundation

  /// The encryption of one connection with OpenSSL.
  ///
  /// OpenSSL writes to the socket without `MSG_NOSIGNAL`, so a write can raise SIGPIPE. This signal
  /// doesn't end the process, because the connection's thread blocks all signals.
  final class OpenSSLLayer: TLSLayer {
    private let context: TLSContext
    private let openSSL: OpenSSL
    private let connection: OpenSSL.Pointer
    private let name: TLSName
    private var isShakingHands = true
    /// The error that ended the connection. After it, OpenSSL must not be called.
    private var failure: RedisError?
    private(set) var readNeedsOutput = false
    private(set) var writeNeedsInput = false
    private var isBufferFull = false

    init(
      _ context: TLSContext, _ descriptor: Int32, _ name: TLSName, _ ticket: OpenSSLTicket?
    ) throws(RedisError) {
      (self.context, openSSL, self.name) = (context, context.openSSL, name)
      openSSL.clearErrors()
      guard let connection = openSSL.newConnection(context.context) else {
        throw .tls("OpenSSL has no memory for a connection. Try again later")
      }
      self.connection = connection
      guard openSSL.setDescriptor(connection, descriptor) == 1, expect(name) else {
        throw .tls("OpenSSL refuses the name \(name.text). Correct the address or serverName")
      }
      openSSL.setClient(connection)
      if let ticket, ticket.context === context {
        _ = openSSL.setSession(connection, ticket.session)
      }
    }

    deinit { openSSL.freeConnection(connection) }

    /// Whether the server has resumed an earlier session.
    var isResumed: Bool { openSSL.isReused(connection) == 1 }

    private func expect(_ name: TLSName) -> Bool {
      // The authority in `caFile` may be an intermediate one.
      let partialChain: UInt = 0x80000
      _ = openSSL.setVerificationFlags(openSSL.verification(connection), partialChain)
      switch name {
      case .address(let text):
        return openSSL.setAddress(openSSL.verification(connection), text) == 1
      case .host(let text):
        let noPartialWildcards: UInt32 = 0x4
        openSSL.setHostFlags(connection, noPartialWildcards)
        let setServerName: Int32 = 55
        let isSent = text.withCString {
          openSSL.control(connection, setServerName, 0, UnsafeMutableRawPointer(mutating: $0)) == 1
        }
        return isSent && openSSL.setHost(connection, text) == 1
      }
    }

    func shakeHands() throws(RedisError) -> Bool {
      openSSL.clearErrors()
      errno = 0
      let result = openSSL.handshake(connection)
      if result == 1 {
        (isShakingHands, readNeedsOutput) = (false, false)
        return true
      }
      switch stop(result) {
      case .input: readNeedsOutput = false
      case .output: readNeedsOutput = true
      case .end(let error): throw error
      }
      return false
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> RedisSocket.Progress {
      var count = 0
      isBufferFull = false
      while failure == nil {
        guard count < buffer.count else {
          isBufferFull = true
          break
        }
        openSSL.clearErrors()
        errno = 0
        let result = openSSL.read(
          connection, buffer.baseAddress! + count, Int32(clamping: buffer.count - count))
        guard result > 0 else {
          switch stop(result) {
          case .input: readNeedsOutput = false
          case .output: readNeedsOutput = true
          case .end: continue
          }
          break
        }
        readNeedsOutput = false
        count += Int(result)
        if openSSL.hasPending(connection) == 0 { break }
      }
      if count > 0 { return .moved(count) }
      return failure.map { .ended($0) } ?? .blocked
    }

    var hasInput: Bool { isBufferFull || failure != nil }

    func write(_ bytes: UnsafeRawBufferPointer) -> RedisSocket.Progress {
      guard let start = bytes.baseAddress, !bytes.isEmpty, failure == nil else {
        return failure.map { .ended($0) } ?? .moved(0)
      }
      var count = 0
      writeNeedsInput = false
      loop: while count < bytes.count {
        openSSL.clearErrors()
        errno = 0
        let result = openSSL.write(connection, start + count, Int32(clamping: bytes.count - count))
        guard result > 0 else {
          switch stop(result) {
          case .input: writeNeedsInput = true
          case .output: break
          case .end(let error):
            // Before it ended the connection, the server may have sent the reason.
            failure = nil
            withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 16) { _ = read(into: $0) }
            failure = failure ?? error
          }
          break loop
        }
        count += Int(result)
      }
      if count > 0 { return .moved(count) }
      return failure.map { .ended($0) } ?? .blocked
    }

    func end() -> (any TLSTicket)? {
      var ticket: OpenSSLTicket?
      if !isShakingHands, failure == nil {
        openSSL.clearErrors()
        if let session = openSSL.session(connection) {
          let isResumable = openSSL.isResumable(session) == 1
          ticket = OpenSSLTicket(context, session)
          if !isResumable { ticket = nil }
        }
        _ = openSSL.shutdown(connection)
        openSSL.clearErrors()
      }
      // Without these flags, OpenSSL would regard the session as broken.
      let (sent, received): (Int32, Int32) = (1, 2)
      if ticket != nil { openSSL.setShutdown(connection, sent | received) }
      return ticket
    }

    private enum Stop {
      case input, output
      case end(RedisError)
    }

    /// Returns why an operation has stopped. When it has failed, also remembers the error.
    private func stop(_ result: Int32) -> Stop {
      let code = errno
      let (ssl, needsInput, needsOutput, system): (Int32, Int32, Int32, Int32) = (1, 2, 3, 5)
      let error: RedisError
      switch openSSL.error(connection, result) {
      case needsInput: return .input
      case needsOutput: return .output
      case ssl:
        error = OpenSSLFault(openSSL).error(
          verification: openSSL.verifyResult(connection), name: name,
          hasCertificate: context.settings.certificate != nil)
      case system where code != 0: error = ended(String(cString: strerror(code)))
      default: error = ended(RedisError.closedByServer)
      }
      failure = error
      return .end(error)
    }

    private func ended(_ reason: String) -> RedisError {
      guard isShakingHands else { return .connectionLost(reason) }
      return .tls(
        "the connection ended during the TLS handshake: \(reason). Check that the server uses TLS "
          + "on this port")
    }
  }

  /// A session that a later connection can resume.
  final class OpenSSLTicket: TLSTicket {
    let context: TLSContext
    let session: OpenSSL.Pointer

    init(_ context: TLSContext, _ session: OpenSSL.Pointer) {
      (self.context, self.session) = (context, session)
    }

    deinit { context.openSSL.freeSession(session) }
  }
#endif
