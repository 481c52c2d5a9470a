import Foundation

/// An error that libcurl reports, for example a failed connection.
struct CurlError: LocalizedError {
  /// A `CURLcode`.
  let code: Int32
  /// The general description of the code.
  let text: String
  /// The description of this failure, or an empty string.
  var details = ""
  /// The result of the verification of the certificate, as a number of OpenSSL, or zero.
  var verification = 0

  var errorDescription: String? {
    "\(details.isEmpty ? text : details) (libcurl \(code))"
  }

  /// The remedy for the failure.
  var remedy: String {
    guard Self.tlsFailures.contains(code) else { return "check the host and the network" }
    if details.contains("subject name") || details.contains("does not match") {
      return Self.wrongHost
    }
    switch verification {
    case 9: return "the certificate isn't valid yet; check the clock of this machine"
    case 10: return "the certificate has expired; renew it, or check the clock of this machine"
    case 18, 19:
      return "the certificate is self-signed; name a file with it in SSL_CERT_FILE to trust it"
    case 2, 20, 21:
      return "the certificate's issuer is unknown; install the issuer's certificate, name a file "
        + "with it in SSL_CERT_FILE, or let the server send its intermediate certificates"
    case 23: return "the certificate is revoked; replace it"
    case 62, 64: return Self.wrongHost
    case _ where code == 77: return "check the file that SSL_CERT_FILE names"
    default: return "check the server's certificate and its versions of TLS"
    }
  }

  private static let wrongHost =
    "the certificate is for another host; use a host name that the certificate contains"

  /// The error codes of failed handshakes and untrusted certificates.
  private static let tlsFailures: Set<Int32> = [
    35, 51, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91,
  ]
}
