import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Holds the connections that network levels share.
///
/// It keeps nothing between answers: no `URLCache`, no cookies and no credentials, whatever the
/// configuration says; a level that answered from another cache could not be cleared. Headers that
/// speak of caching (Cache-Control, Expires, Vary, ETag) are ignored: the levels above decide.
///
///     let configuration = URLSessionConfiguration.ephemeral
///     configuration.httpAdditionalHeaders = ["Accept-Language": "en"]
///     let pages: Fetcher<URL, Data> = .network(session: NetworkSession(configuration: configuration))
///
/// Up to eight connections are kept for the next request of the same origin, and closed with the
/// session. On Linux every transfer under way has a connection of its own, whatever the
/// configuration's `httpMaximumConnectionsPerHost`: bound them with `limited(toConcurrentGets:)`.
///
/// On Linux a URL whose host is an IPv6 literal, such as `http://[::1]/`, fails: `URLSession` (6.3)
/// refuses it as a bad URL. A name that stands for an IPv6 address works.
///
/// Foundation on Linux (6.3) ends the process, before any code of this library sees the answer,
/// when an origin sends: a header that breaks off after a line and before any Content-Length
/// (swift-corelibs-foundation 5285), trailers after the chunks, a Content-Length of 2^63 - 512 or
/// more, or a redirect to a host with an encoded space or NUL and no scheme (`//a%20b/`). Ask
/// origins that may do so through a proxy that normalises answers, or with a `Fetcher { }`.
public final class NetworkSession: Sendable {
  /// The session used when none is given.
  public static let shared = NetworkSession()

  private let configuration: URLSessionConfiguration
  private let headers: [String: String]
  private let lanes = Lock(NetworkLanes())

  /// Makes a session of its own connections.
  ///
  /// `httpAdditionalHeaders` are sent with the first request and, if they say who asks, withheld
  /// from other origins when it is redirected. Time limits are the level's, not the
  /// configuration's.
  ///
  /// - Parameter configuration: Copied; later changes to it have no effect.
  public init(configuration: URLSessionConfiguration = .ephemeral) {
    let own = configuration.copy() as? URLSessionConfiguration ?? .ephemeral
    var headers: [String: String] = [:]
    for (name, value) in own.httpAdditionalHeaders ?? [:] { headers["\(name)"] = "\(value)" }
    self.headers = headers
    own.httpAdditionalHeaders = nil
    own.urlCache = nil
    own.requestCachePolicy = .reloadIgnoringLocalCacheData
    own.httpCookieStorage = nil
    own.httpCookieAcceptPolicy = .never
    own.httpShouldSetCookies = false
    own.urlCredentialStorage = nil
    self.configuration = own
  }

  /// A lane for one transfer to the URL's origin.
  func takeLane(for url: URL) -> NetworkLane {
    let origin = NetworkRequest.origin(of: url)
    return lanes.withLock { $0.take(for: origin) } ?? NetworkLane(configuration)
  }

  /// Takes back a lane whose transfer has come to its natural end.
  func keep(_ lane: NetworkLane, for url: URL) {
    let origin = NetworkRequest.origin(of: url)
    _ = lanes.withLock { $0.keep(lane, for: origin) }
  }

  /// Starts a transfer that completes once, on an arbitrary thread.
  ///
  /// - Parameters:
  ///   - maximumSize: In bytes of the decoded body.
  ///   - after: Calls a closure once a duration has passed, and returns what prevents it.
  /// - Returns: Cancels the transfer, which then completes with `.cancelled` unless it had ended.
  func start(
    _ request: URLRequest, maximumSize: Int, deadline: Duration,
    after: TimeSource.After = TimeSource.system.after,
    completion: @escaping NetworkTransfer.Completion
  ) -> @Sendable () -> Void {
    let transfer = NetworkTransfer(
      session: self, request: request, limits: (maximumSize, deadline), completion: completion)
    transfer.begin(completed(request, deadline: deadline), after: after)
    return { transfer.settle(.failure(NetworkError(.cancelled, url: request.url))) }
  }

  /// The session's headers where the request has none, and an idle limit that the deadline always
  /// comes before: Linux has no total limit, and traps on an infinite idle one.
  private func completed(_ request: URLRequest, deadline: Duration) -> URLRequest {
    var request = request
    for (name, value) in headers where request.value(forHTTPHeaderField: name) == nil {
      request.setValue(value, forHTTPHeaderField: name)
    }
    request.timeoutInterval = Double(min(max(deadline.components.seconds, 0), 1_000_000)) + 60
    return request
  }
}
