#if canImport(Glibc)
  import Foundation

  /// The authorities to trust and the client's certificate, for many connections.
  ///
  /// OpenSSL allows all threads to make connections from one context.
  final class TLSContext: Sendable {
    /// Whether TLS opens its own connection to the server. OpenSSL encrypts the client's socket.
    static let isTunnel = false

    let settings: RedisTLS
    let openSSL: OpenSSL
    nonisolated(unsafe) let context: OpenSSL.Pointer

    /// Reads the files that the settings name. If they name no file of authorities, reads the
    /// system's.
    init(_ settings: RedisTLS) throws(RedisError) {
      let openSSL = try OpenSSL.shared.get()
      (self.settings, self.openSSL) = (settings, openSSL)
      openSSL.clearErrors()
      guard let context = openSSL.newContext(openSSL.clientMethod()) else {
        throw .tls("OpenSSL has no memory for a context. Try again later")
      }
      self.context = context
      configure()
      try trust()
      try identify()
    }

    deinit { openSSL.freeContext(context) }

    private func configure() {
      let (setMode, setReadAhead, setMinimumVersion): (Int32, Int32, Int32) = (33, 41, 123)
      // After a partial write, the next call may pass the rest in another buffer. Also, a write
      // returns after each TLS record.
      let (partialWrites, movingBuffers) = (0x1, 0x2)
      _ = openSSL.controlContext(context, setMode, partialWrites | movingBuffers, nil)
      _ = openSSL.controlContext(context, setReadAhead, 1, nil)
      let tls12 = 0x0303
      _ = openSSL.controlContext(context, setMinimumVersion, tls12, nil)
      // Each reply states its own length, so a connection that ends without a notice can't shorten
      // a reply.
      let (noRenegotiation, ignoresMissingNotice): (UInt64, UInt64) = (1 << 30, 1 << 7)
      _ = openSSL.setContextOptions(context, noRenegotiation | ignoresMissingNotice)
      let verifyPeer: Int32 = 1
      openSSL.setVerification(context, verifyPeer, nil)
    }

    private func trust() throws(RedisError) {
      guard let file = settings.caFile else {
        guard openSSL.trustSystem(context) == 1 else {
          throw .tls("the system's authorities can't be read. Pass a caFile")
        }
        return
      }
      guard openSSL.trustFile(context, file, nil) == 1 else {
        throw fileFault("caFile", file, "a PEM file with the certificates of authorities")
      }
    }

    private func identify() throws(RedisError) {
      guard let certificate = settings.certificate else {
        if settings.key == nil { return }
        throw .tls("there is a key without a certificate. Pass the client's certificate, too")
      }
      guard openSSL.useCertificates(context, certificate) == 1 else {
        throw fileFault("certificate", certificate, "a PEM file with the client's certificate")
      }
      // Without this callback, OpenSSL would ask for a password on the terminal.
      let password = settings.keyPassword.map { strdup($0.revealed) } ?? nil
      defer {
        openSSL.setPassword(context, nil)
        if let password {
          memset(password, 0, strlen(password))
          free(password)
        }
      }
      openSSL.setPassword(context, password)
      openSSL.setPasswordCallback(context) { buffer, size, _, password in
        guard let buffer, let password else { return -1 }
        let count = strlen(password.assumingMemoryBound(to: CChar.self))
        guard count < Int(size) else { return -1 }
        memcpy(buffer, password, count)
        return Int32(count)
      }
      let key = settings.key ?? certificate
      let pem: Int32 = 1
      guard openSSL.useKey(context, key, pem) == 1 else { throw keyFault(key) }
    }

    /// Returns the error for a file that OpenSSL has refused.
    private func fileFault(_ parameter: String, _ file: String, _ meaning: String) -> RedisError {
      if let reason = Self.unreadable(file) {
        return .tls("the file \(file) can't be read: \(reason). Correct \(parameter)")
      }
      let reason = OpenSSLFault(openSSL).text.map { ": \($0)" } ?? ""
      return .tls("the file \(file) isn't \(meaning)\(reason). Correct \(parameter)")
    }

    private func keyFault(_ file: String) -> RedisError {
      if Self.unreadable(file) != nil {
        return fileFault("key", file, "a PEM file with the client's private key")
      }
      let fault = OpenSSLFault(openSSL)
      if fault.isOfPassword {
        return .tls(
          settings.keyPassword == nil
            ? "the key in \(file) is encrypted. Pass keyPassword"
            : "the password of the key in \(file) is wrong. Correct keyPassword")
      }
      if fault.isOfOtherKey {
        return .tls(
          "the key in \(file) doesn't belong to the certificate. Correct certificate or key")
      }
      let reason = fault.text.map { ": \($0)" } ?? ""
      return .tls(
        "the file \(file) isn't a PEM file with the client's private key\(reason). Correct key")
    }

    private static func unreadable(_ file: String) -> String? {
      guard let stream = fopen(file, "r") else { return String(cString: strerror(errno)) }
      defer { fclose(stream) }
      return fgetc(stream) == EOF ? (ferror(stream) != 0 ? "it's a folder" : "it's empty") : nil
    }

    func tunnel(
      to endpoint: RedisAddress.Endpoint, within nanoseconds: Int64
    ) throws(RedisError) -> RedisSocket {
      throw .tls("there is no tunnel on Linux. Report this as a fault of Strata")
    }

    /// Prepares the encryption of a connected socket.
    ///
    /// - Parameters:
    ///   - host: The host of the server's address.
    ///   - ticket: The ticket of an earlier connection to the same server.
    func layer(
      on descriptor: Int32, for host: String, resuming ticket: (any TLSTicket)?
    ) throws(RedisError) -> (any TLSLayer)? {
      let name = try TLSName(settings.serverName, orHost: host)
      return try OpenSSLLayer(self, descriptor, name, ticket as? OpenSSLTicket)
    }
  }
#endif
