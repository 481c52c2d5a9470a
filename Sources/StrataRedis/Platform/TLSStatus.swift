#if canImport(Network)
  import Foundation

  /// The cause and the remedy for each status with which Apple's systems report a failed TLS
  /// connection.
  enum TLSStatus {
    static func text(_ status: Int, host: String) -> String {
      switch status {
      case -9807, -9812, -9813, -67843, -25318:
        "the authority of the server's certificate isn't known (\(status)). Pass the authority's "
          + "certificate as caFile"
      case -9814, -67818:
        "the server's certificate has expired. Renew it, or check this device's clock"
      case -9815, -67819:
        "the server's certificate isn't valid yet. Check the clocks of both machines"
      case -9843, -67602:
        "the server's certificate isn't for \(host). Use a name of the certificate in the address, "
          + "or pass it as serverName"
      case -9829, -9825, -9826, -9827, -9828, -9831, -9850:
        "the server refused the client's certificate (\(status)). Pass a certificate that the server "
          + "accepts"
      case -9824:
        "the server refused the handshake. If it requires a client certificate, pass one"
      case -9836: "the server has no version of TLS from 1.2. Enable TLS 1.2 or 1.3 on the server"
      case -9800, -9847, -9848:
        "the server answered without TLS. Use redis instead of rediss, or the server's port for TLS"
      default: "the system reports \(status). Check the server's certificate and its log"
      }
    }
  }
#endif
