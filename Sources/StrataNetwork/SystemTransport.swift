#if canImport(CStrataCurl) && canImport(Glibc)
  import Foundation

  /// Chooses the transport for this machine.
  enum SystemTransport {
    /// Creates a transport that uses libcurl or, if libcurl can't be loaded, `URLSession`.
    static func make(connectionsPerHost: Int, idleTimeout: Duration) -> any HTTPTransport {
      let settings = CurlSettings(connectionsPerHost: connectionsPerHost, idleTimeout: idleTimeout)
      return make(CurlLibrary.shared, settings, report: { notice.write($0) })
    }

    /// - Parameter report: A closure that receives a one-line warning if libcurl can't be used.
    static func make(
      _ library: Result<CurlLibrary, CurlLibrary.LoadError>, _ settings: CurlSettings,
      report: (String) -> Void
    ) -> any HTTPTransport {
      do throws(CurlLibrary.LoadError) {
        return CurlTransport(try library.get(), settings)
      } catch {
        report(
          "the network level uses URLSession, because libcurl can't be used: \(error)")
        return URLSessionTransport(connectionsPerHost: settings.connectionsPerHost)
      }
    }

    private static let notice = Notice()
  }
#else
  /// Chooses the transport for this machine.
  enum SystemTransport {
    /// Creates a transport that uses `URLSession`. This transport ignores `idleTimeout`, because
    /// `URLSession` closes idle connections by itself.
    static func make(connectionsPerHost: Int, idleTimeout: Duration) -> any HTTPTransport {
      URLSessionTransport(connectionsPerHost: connectionsPerHost)
    }
  }
#endif
