#if canImport(Glibc)
  import Foundation

  /// The first error of OpenSSL on the current thread, from which a cause and a remedy are made.
  struct OpenSSLFault {
    private let library: Int
    private let reason: Int
    let text: String?

    /// Removes all errors of the current thread from OpenSSL's queue.
    init(_ openSSL: OpenSSL) {
      var (first, last) = (openSSL.nextError(), UInt(0))
      while case let next = openSSL.nextError(), next != 0 { last = next }
      // When decoding fails, OpenSSL 3 reports that first, and then the reason.
      if Self.parts(first) == Self.unsupported, last != 0 { first = last }
      (library, reason) = Self.parts(first)
      text = first == 0 ? nil : openSSL.errorReason(first).map { String(cString: $0) }
    }

    init(library: Int = 20, reason: Int) {
      (self.library, self.reason, text) = (library, reason, nil)
    }

    private static func parts(_ code: UInt) -> (library: Int, reason: Int) {
      (Int(code >> 23 & 0xff), Int(code & 0x7f_ffff))
    }

    private static let unsupported = (library: 60, reason: 524_556)

    var isOfPassword: Bool {
      let isCancelled = reason == 524_553  // No password, or one that is too long.
      if isCancelled { return true }
      let (pem, digests, ciphers, pkcs12) = (9, 6, 57, 35)
      return library == pem && [101, 104, 109].contains(reason)
        || library == digests && reason == 100
        || library == ciphers && reason == 100 || library == pkcs12
    }

    var isOfOtherKey: Bool { library == 11 && reason == 116 || library == 11 && reason == 115 }

    /// Returns the error for a handshake or an established connection.
    ///
    /// - Parameters:
    ///   - verification: The result of the check of the server's certificate.
    ///   - hasCertificate: Whether the client has a certificate.
    func error(verification: Int, name: TLSName, hasCertificate: Bool) -> RedisError {
      let (ssl, firstAlert, certificateRefused) = (20, 1000, 134)
      guard library == ssl else { return other() }
      if reason == certificateRefused {
        return .tls(
          Self.certificateFault(verification, name)
            ?? "the server's certificate is invalid. Replace it")
      }
      if reason >= firstAlert { return alert(reason - firstAlert, hasCertificate) }
      switch reason {
      // A wrong version number, a record that is too long, or an unknown type of record.
      case 267, 198, 243, 244:
        return .tls(
          "the server answered without TLS. Use redis instead of rediss, or the server's port for TLS"
        )
      case 258: return Self.oldVersion
      case 394:
        return .tls("the server's key exchange is too weak. Configure it with longer parameters")
      default: return other()
      }
    }

    private func other() -> RedisError {
      .tls("OpenSSL reports \(text ?? "error \(reason)"). Check the configuration of the server")
    }

    private static let oldVersion = RedisError.tls(
      "the server and this machine have no common version of TLS. Enable TLS 1.2 or 1.3 on the server"
    )

    /// Returns the error for an alert from the server. RFC 8446 defines the numbers.
    private func alert(_ number: Int, _ hasCertificate: Bool) -> RedisError {
      let isOfCertificate = [42, 43, 46, 49, 51].contains(number)
      if number == 116 || isOfCertificate && !hasCertificate {
        return .tls("the server requires a client certificate. Pass certificate and key")
      }
      if isOfCertificate {
        return .tls(
          "the server refused the client's certificate (TLS alert \(number)). Check the "
            + "certificate, its key, and its authority")
      }
      switch number {
      case 40:
        return .tls(
          "the server refused the handshake. "
            + (hasCertificate
              ? "Check its list of ciphers"
              : "If it requires a client certificate, pass one; otherwise, check its list of ciphers")
        )
      case 48:
        return .tls(
          "the server doesn't know the authority of the client's certificate. Sign the certificate "
            + "with an authority of the server, or add its authority to the server")
      case 44, 45:
        return .tls(
          "the server refused the client's certificate, because it "
            + (number == 44 ? "is revoked" : "has expired") + ". Renew the certificate")
      case 70: return Self.oldVersion
      case 112:
        return .tls("the server doesn't know the requested name. Correct the address or serverName")
      default:
        return .tls(
          "the server ended TLS with alert \(number)\(text.map { " (\($0))" } ?? ""). The server's "
            + "log has the reason")
      }
    }

    /// Returns what's wrong with the server's certificate, or `nil` if nothing is.
    static func certificateFault(_ result: Int, _ name: TLSName) -> String? {
      switch result {
      case 0: return nil
      case 9:
        return "the server's certificate isn't valid yet. Check the clocks of both machines"
      case 10:
        return "the server's certificate has expired. Renew it, or check this machine's clock"
      case 18:
        return "the server's certificate is self-signed and not trusted. Pass it as caFile"
      case 2, 19, 20, 21, 27:
        return "the authority of the server's certificate isn't known. Pass the authority's "
          + "certificate as caFile, or install the system's authorities (ca-certificates). If an "
          + "intermediate authority signed it, the server must send that certificate, too"
      case 62, 64:
        return "the server's certificate isn't for \(name.text). Use a name of the certificate in "
          + "the address, or pass it as serverName"
      case 23: return "the server's certificate is revoked. Renew it"
      case 26:
        return "the server's certificate isn't for servers. Issue it for server authentication"
      case 66, 67, 68:
        return
          "the server's certificate has a key or a digest that is too weak. Issue a stronger one"
      default:
        let text = (try? OpenSSL.shared.get()).flatMap { $0.certificateFault(result) }
        return
          "the server's certificate is invalid: \(text.map { String(cString: $0) } ?? "error \(result)"). "
          + "Replace the certificate"
      }
    }
  }
#endif
