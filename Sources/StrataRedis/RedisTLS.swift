import Foundation

/// How a client checks the certificates of its servers, and identifies itself to them.
///
/// By default, a server must have a certificate for the host of its address, signed by an authority
/// that the system trusts. Managed servers usually have one, so they need only an address that
/// begins with `rediss`. For your own authority, pass its certificate:
///
///     let redis = try RedisServer(
///       "rediss://cache.internal:6379", tls: RedisTLS(caFile: "/etc/redis/ca.pem"))
///
/// When the client connects, it reads the files on another thread. When they have changed at a
/// later attempt, it reads them again, so a renewed certificate needs no restart. Connections use
/// TLS 1.2 or 1.3. After a lost connection, the client resumes the TLS session if the server allows
/// it.
///
/// On Linux, TLS needs the library `libssl.so.3` of OpenSSL 3, which the client loads with its
/// first encrypted connection.
public struct RedisTLS: Sendable {
  /// The path of a PEM file with the certificates of the authorities to trust, or `nil` to trust
  /// the system's authorities.
  public var caFile: String?
  /// The path of the client's certificate, or `nil` if the server doesn't require one.
  public var certificate: String?
  /// The path of the client's private key, or `nil` if the file of the certificate contains it.
  public var key: String?
  /// The name or the IP address that the certificate of each server must contain, or `nil` for the
  /// host of the server's address.
  public var serverName: String?
  let keyPassword: Secret?

  /// Creates the settings of encrypted connections.
  ///
  /// - Parameters:
  ///   - caFile: The path of a PEM file with the certificates of the authorities to trust. By
  ///     default, it's `nil`, and the client trusts the system's authorities.
  ///   - certificate: The path of the client's certificate. On Linux, this is a PEM file, which can
  ///     also contain the certificates of intermediate authorities. On Apple's platforms, it's a
  ///     PKCS #12 file, which contains the key, too.
  ///   - key: The path of a PEM file with the client's private key, if the file of the certificate
  ///     doesn't contain the key.
  ///   - keyPassword: The password of the file with the key. The default is no password.
  ///   - serverName: The name or the IP address that the certificate of each server must contain.
  ///     The default is the host of the address. Pass a name if the address is that of a tunnel, or
  ///     if a cluster announces IP addresses that its certificates don't contain.
  public init(
    caFile: String? = nil, certificate: String? = nil, key: String? = nil,
    keyPassword: String? = nil, serverName: String? = nil
  ) {
    (self.caFile, self.certificate, self.key) = (caFile, certificate, key)
    (self.keyPassword, self.serverName) = (keyPassword.map { Secret($0) }, serverName)
  }

  /// The files that a connection reads.
  var files: [String] { [caFile, certificate, key].compactMap { $0 } }
}
