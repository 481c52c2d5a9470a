import Dispatch
import Foundation

/// Sends requests with `URLSession`.
final class URLSessionTransport: HTTPTransport {
  let decodesBodies = true
  private let session: URLSession
  private let exchanges = URLSessionExchanges()
  /// A queue on which the transport creates tasks. On Linux, creating a task blocks until the
  /// session's queue is free, but `send` must not block its caller.
  private let control = DispatchQueue(label: "strata.network.control")

  /// Creates a transport that never stores responses, cookies, or credentials, even if the
  /// configuration allows storing them.
  init(_ configuration: URLSessionConfiguration) {
    let copy = configuration.copy() as? URLSessionConfiguration ?? .ephemeral
    copy.httpAdditionalHeaders = nil
    copy.urlCache = nil
    copy.requestCachePolicy = .reloadIgnoringLocalCacheData
    copy.httpCookieStorage = nil
    copy.httpCookieAcceptPolicy = .never
    copy.httpShouldSetCookies = false
    copy.urlCredentialStorage = nil
    session = URLSession(
      configuration: copy, delegate: exchanges, delegateQueue: URLLoading.makeQueue())
  }

  convenience init(connectionsPerHost: Int) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = connectionsPerHost
    self.init(configuration)
  }

  /// Invalidates the session, which until then retains itself, its delegate, and its connections.
  deinit { session.finishTasksAndInvalidate() }

  var configuration: URLSessionConfiguration { session.configuration }

  func send(_ request: OutgoingRequest, to receiver: any ResponseReceiver) -> @Sendable () -> Void {
    let task = Lock<(task: URLSessionTask?, isCancelled: Bool)>((nil, false))
    control.async { [self] in
      guard !task.withLock({ $0.isCancelled }) else { return }
      let new = session.dataTask(with: Self.urlRequest(request))
      exchanges.add(receiver, for: new)
      task.withLock { $0.task = new }
      new.resume()
    }
    return { [session, exchanges, control] in
      control.async {
        let task = task.withLock { state in
          state.isCancelled = true
          return state.task.take()
        }
        guard let task else { return }
        exchanges.remove(task)
        URLLoading.cancel(task, of: session)
      }
    }
  }

  /// Converts a request for `URLSession`, and keeps the settings that choose a network. As the
  /// timeout, the result has 1,000,000 s, which is longer than any deadline in practice. On Linux,
  /// an infinite timeout would crash the process.
  private static func urlRequest(_ request: OutgoingRequest) -> URLRequest {
    var result = request.urlRequest { $0.text }
    result.timeoutInterval = 1_000_000
    result.cachePolicy = .reloadIgnoringLocalCacheData
    return result
  }
}
