#if canImport(Network)
  import Foundation
  import Network
  import Security

  /// The authorities to trust and the client's certificate, for many connections.
  final class TLSContext: Sendable {
    /// Whether TLS opens its own connection to the server, so the client can't give it a connected
    /// socket. The client then reaches the server through a local tunnel.
    static let isTunnel = true

    private let settings: RedisTLS
    // Security's objects for certificates and identities are immutable.
    nonisolated(unsafe) private let authorities: [SecCertificate]?
    nonisolated(unsafe) private let identity: sec_identity_t?

    /// Creates a context from the files that the settings name.
    init(_ settings: RedisTLS) throws(RedisError) {
      self.settings = settings
      authorities = try settings.caFile.map { file throws(RedisError) in
        try Self.certificates(in: file)
      }
      identity = try settings.certificate.map { file throws(RedisError) in
        try Self.identity(in: file, password: settings.keyPassword?.revealed ?? "")
      }
      if settings.key != nil {
        throw .tls(
          "on this system, the certificate is a PKCS #12 file, which contains the key. Convert the "
            + "two PEM files with openssl pkcs12 -export, and pass no key")
      }
    }

    /// Connects through a tunnel, whose other end is a local socket.
    func tunnel(
      to endpoint: RedisAddress.Endpoint, within nanoseconds: Int64
    ) throws(RedisError) -> RedisSocket {
      try TLSTunnel.connecting(to: endpoint, self, within: nanoseconds)
    }

    /// Returns `nil`, because the tunnel encrypts the connection.
    func layer(
      on descriptor: Int32, for host: String, resuming ticket: (any TLSTicket)?
    ) throws(RedisError) -> (any TLSLayer)? {
      nil
    }

    /// Returns the options for a connection to a host.
    ///
    /// - Parameter refuse: Receives the reason if the server's certificate is refused.
    func options(
      for host: String, on queue: DispatchQueue, refuse: @escaping @Sendable (RedisError) -> Void
    ) throws(RedisError) -> NWProtocolTLS.Options {
      let name = try TLSName(settings.serverName, orHost: host)
      let tls = NWProtocolTLS.Options()
      let options = tls.securityProtocolOptions
      sec_protocol_options_set_min_tls_protocol_version(options, .TLSv12)
      if case .host(let text) = name { sec_protocol_options_set_tls_server_name(options, text) }
      if let identity { sec_protocol_options_set_local_identity(options, identity) }
      sec_protocol_options_set_verify_block(
        options,
        { [self] _, trust, complete in
          let fault = fault(of: sec_trust_copy_ref(trust).takeRetainedValue(), name)
          if let fault { refuse(fault) }
          complete(fault == nil)
        }, queue)
      return tls
    }

    /// Returns why the certificate of a server isn't trusted, or `nil` if it is.
    private func fault(of trust: SecTrust, _ name: TLSName) -> RedisError? {
      let host = CFStringCreateWithCString(
        nil, name.text, CFStringBuiltInEncodings.UTF8.rawValue)
      SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, host))
      if let authorities {
        SecTrustSetAnchorCertificates(trust, authorities as CFArray)
        SecTrustSetAnchorCertificatesOnly(trust, true)
      }
      var error: CFError?
      if SecTrustEvaluateWithError(trust, &error) { return nil }
      return .tls(TLSStatus.text(error.map { CFErrorGetCode($0) } ?? 0, host: name.text))
    }

    private static func contents(of file: String, _ parameter: String) throws(RedisError) -> Data {
      do { return try Data(contentsOf: URL(fileURLWithPath: file)) } catch {
        throw .tls(
          "the file \(file) can't be read: \(error.localizedDescription) Correct \(parameter)")
      }
    }

    private static func certificates(in file: String) throws(RedisError) -> [SecCertificate] {
      let text = String(decoding: try contents(of: file, "caFile"), as: UTF8.self)
      let certificates = text.split(separator: "-----BEGIN CERTIFICATE-----").dropFirst()
        .compactMap { part -> SecCertificate? in
          let base64 = part.split(separator: "-----END").first.map(String.init) ?? ""
          let data = Data(base64Encoded: base64, options: .ignoreUnknownCharacters)
          return data.flatMap { SecCertificateCreateWithData(nil, NSData(data: $0) as CFData) }
        }
      guard !certificates.isEmpty else {
        throw .tls(
          "the file \(file) isn't a PEM file with the certificates of authorities. Correct caFile")
      }
      return certificates
    }

    private static func identity(
      in file: String, password: String
    ) throws(RedisError) -> sec_identity_t {
      let data = NSData(data: try contents(of: file, "certificate")) as CFData
      let options: CFDictionary = [kSecImportExportPassphrase: password] as CFDictionary
      var items: CFArray?
      let status = SecPKCS12Import(data, options, &items)
      let found = (items as? [[CFString: Any]])?.first?[kSecImportItemIdentity]
      guard status == errSecSuccess, let found,
        let identity = sec_identity_create(found as! SecIdentity)
      else {
        throw .tls(
          status == errSecAuthFailed
            ? "the password of \(file) is wrong. Correct keyPassword"
            : "the file \(file) isn't a PKCS #12 file with a certificate and its key (\(status)). "
              + "Correct certificate")
      }
      return identity
    }
  }
#endif
