import Foundation
import FoundationNetworking

/// https://developer.apple.com/documentation/foundation/httpcookie
public typealias HTTPCookie = FoundationNetworking.HTTPCookie
/// https://developer.apple.com/documentation/foundation/httpcookiestorage
public typealias HTTPCookieStorage = FoundationNetworking.HTTPCookieStorage
/// https://developer.apple.com/documentation/foundation/httpurlresponse
public typealias HTTPURLResponse = FoundationNetworking.HTTPURLResponse
/// https://developer.apple.com/documentation/foundation/urlcache
public typealias URLCache = FoundationNetworking.URLCache
/// https://developer.apple.com/documentation/foundation/urlcredentialstorage
public typealias URLCredentialStorage = FoundationNetworking.URLCredentialStorage
/// https://developer.apple.com/documentation/foundation/urlerror
public typealias URLError = Foundation.URLError
/// https://developer.apple.com/documentation/foundation/urlrequest
public typealias URLRequest = FoundationNetworking.URLRequest
/// https://developer.apple.com/documentation/foundation/urlresponse
public typealias URLResponse = FoundationNetworking.URLResponse

/// https://developer.apple.com/documentation/foundation/urlsessionconfiguration
open class URLSessionConfiguration: NSObject, NSCopying, @unchecked Sendable {
  open class var `default`: URLSessionConfiguration { URLSessionConfiguration() }
  open class var ephemeral: URLSessionConfiguration { URLSessionConfiguration() }
  /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/background(withidentifier:)
  open class func background(withIdentifier identifier: String) -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration()
    configuration.identifier = identifier
    return configuration
  }

  open private(set) var identifier: String?
  open var requestCachePolicy = URLRequest.CachePolicy.useProtocolCachePolicy
  open var httpAdditionalHeaders: [AnyHashable: Any]?
  open var httpMaximumConnectionsPerHost = 6
  open var httpShouldSetCookies = true
  open var httpCookieAcceptPolicy = HTTPCookie.AcceptPolicy.onlyFromMainDocumentDomain
  open var httpCookieStorage: HTTPCookieStorage?
  open var urlCredentialStorage: URLCredentialStorage?
  open var urlCache: URLCache?
  open var timeoutIntervalForRequest = 60.0
  open var timeoutIntervalForResource = 604_800.0
  /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/allowscellularaccess
  open var allowsCellularAccess = true
  /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/connectionproxydictionary
  open var connectionProxyDictionary: [AnyHashable: Any]?
  /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/allowsconstrainednetworkaccess
  open var allowsConstrainedNetworkAccess = true
  /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/allowsexpensivenetworkaccess
  open var allowsExpensiveNetworkAccess = true
  /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/isdiscretionary
  open var isDiscretionary = false

  /// Copies only `identifier`, `allowsConstrainedNetworkAccess`, and
  /// `allowsExpensiveNetworkAccess`.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = URLSessionConfiguration()
    copy.identifier = identifier
    copy.allowsConstrainedNetworkAccess = allowsConstrainedNetworkAccess
    copy.allowsExpensiveNetworkAccess = allowsExpensiveNetworkAccess
    return copy
  }
}

/// https://developer.apple.com/documentation/foundation/urlsession
open class URLSession: NSObject, @unchecked Sendable {
  /// https://developer.apple.com/documentation/foundation/urlsession/responsedisposition
  public enum ResponseDisposition: Int, Sendable {
    case cancel
    case allow
    case becomeDownload
    case becomeStream
  }

  public let configuration: URLSessionConfiguration
  private let session: (any URLSessionDelegate)?
  private var count = 0

  public init(
    configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?,
    delegateQueue queue: OperationQueue?
  ) {
    self.configuration = configuration
    session = delegate
  }

  /// https://developer.apple.com/documentation/foundation/urlsession/init(configuration:)
  public convenience init(configuration: URLSessionConfiguration) {
    self.init(configuration: configuration, delegate: nil, delegateQueue: nil)
  }

  /// The resumed tasks, in order, for tests that use the stand-in.
  public private(set) var standInTasks: [URLSessionTask] = []

  open func dataTask(with request: URLRequest) -> URLSessionDataTask {
    let task = URLSessionDataTask(standIn: ())
    prepare(task, request)
    return task
  }

  /// https://developer.apple.com/documentation/foundation/urlsession/downloadtask(with:)-1onj
  open func downloadTask(with url: URL) -> URLSessionDownloadTask {
    let task = URLSessionDownloadTask(standIn: ())
    prepare(task, URLRequest(url: url))
    return task
  }

  private func prepare(_ task: URLSessionTask, _ request: URLRequest) {
    count += 1
    (task.taskIdentifier, task.originalRequest, task.session) = (count, request, self)
  }

  fileprivate func resume(_ task: URLSessionTask) { standInTasks.append(task) }

  /// https://developer.apple.com/documentation/foundation/urlsession/getalltasks(completionhandler:)
  open func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void) {
    completionHandler(standInTasks)
  }

  /// https://developer.apple.com/documentation/foundation/urlsession/data(from:delegate:)
  ///
  /// The stand-in loads nothing.
  public func data(
    from url: URL, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) { throw URLError(.unsupportedURL) }

  open func finishTasksAndInvalidate() {}
  open func invalidateAndCancel() {}
}

/// https://developer.apple.com/documentation/foundation/urlsessiontask
open class URLSessionTask: NSObject, @unchecked Sendable {
  /// https://developer.apple.com/documentation/foundation/urlsessiontask/taskidentifier
  open fileprivate(set) var taskIdentifier = 0
  /// https://developer.apple.com/documentation/foundation/urlsessiontask/originalrequest
  open fileprivate(set) var originalRequest: URLRequest?
  /// https://developer.apple.com/documentation/foundation/urlsessiontask/response
  open fileprivate(set) var response: URLResponse?
  fileprivate weak var session: URLSession?

  fileprivate init(standIn: Void) {}

  @available(*, deprecated, message: "Use the methods of URLSession that make tasks.")
  public override init() {}

  open func resume() { session?.resume(self) }
  open func cancel() {}
}

/// https://developer.apple.com/documentation/foundation/urlsessiondatatask
open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}
/// https://developer.apple.com/documentation/foundation/urlsessiondownloadtask
open class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {}

// On Apple's platforms, delegate methods are optional, so a method with a wrong signature compiles,
// but is never called. The protocols in this file require all their methods, so a delegate method
// with a wrong signature causes a compiler error.

/// https://developer.apple.com/documentation/foundation/urlsessiondelegate
public protocol URLSessionDelegate: NSObjectProtocol, Sendable {}

/// https://developer.apple.com/documentation/foundation/urlsessiontaskdelegate
public protocol URLSessionTaskDelegate: URLSessionDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}

/// https://developer.apple.com/documentation/foundation/urlsessiondatadelegate
public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void)
  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void)
}

/// https://developer.apple.com/documentation/foundation/urlsessiondownloaddelegate
public protocol URLSessionDownloadDelegate: URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask,
    didFinishDownloadingTo location: URL)
  /// https://developer.apple.com/documentation/foundation/urlsessiondelegate/urlsessiondidfinishevents(forbackgroundurlsession:)
  func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession)
}
