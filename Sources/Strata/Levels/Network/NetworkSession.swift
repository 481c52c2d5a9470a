import Foundation

/// Holds the connections that network levels share.
///
/// Between requests it keeps only connections, and no responses, cookies or credentials.
///
///     let session = NetworkSession(fields: ["Accept-Language": "en", "X-Key": "k1"], secrets: ["X-Key"])
///     let pages: Fetcher<URL, Data> = .network(session: session)
///
/// On Linux the session uses libcurl. It keeps and shares connections, over HTTP/2 if the origin
/// offers it. Certificates are the system's, or those in the file that `SSL_CERT_FILE` names, and
/// proxies come from `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`. No origin's response
/// can end the process. Apple's platforms use `URLSession`. If `libcurl.so.4` can't be loaded,
/// Linux uses `URLSession` too, and a line on standard error reports it.
///
/// A request that isn't idempotent, such as POST, gets a new connection on Linux, because libcurl
/// repeats a request if the origin has closed the kept connection.
public final class NetworkSession: Sendable {
  /// The default session.
  public static let shared = NetworkSession()

  /// The names of the fields that redirects to another origin don't receive.
  let secretFields: [String]
  let transport: any HTTPTransport
  private let fields: HTTPFields

  /// Makes a session that shares no connection with other sessions.
  ///
  /// - Parameters:
  ///   - fields: The header fields of every request. A field of the request replaces them.
  ///   - secrets: The names of header fields that identify the user. A redirect to another origin
  ///     doesn't receive these fields. It also doesn't receive `Authorization`, `Cookie`, `Host`,
  ///     `Proxy-Authorization`, and the credentials of the URL.
  ///   - connectionsPerHost: The maximum number of connections to one host. The default is 64.
  ///     Further requests wait, and their deadlines include the wait.
  ///   - idleTimeout: The time after which an unused connection is closed. The default is 60 s.
  ///   - decodesBodies: Whether bodies in a known content coding are decoded. The default is
  ///     `true`. A proxy sets it to `false` and forwards bodies as they are. `URLSession` always
  ///     decodes bodies.
  public convenience init(
    fields: HTTPFields = [:], secrets: [String] = [], connectionsPerHost: Int = 64,
    idleTimeout: Duration = .seconds(60), decodesBodies: Bool = true
  ) {
    let transport = SystemTransport.make(
      connectionsPerHost: max(1, connectionsPerHost), idleTimeout: idleTimeout)
    self.init(transport, fields: fields, secrets: secrets, decodesBodies: decodesBodies)
  }

  /// Makes a session that uses `URLSession` on every platform.
  ///
  /// Caches, cookies and credentials of the configuration are ignored. Redirects treat its
  /// `httpAdditionalHeaders` like the fields of a request.
  ///
  /// On Linux a malformed response can end the process within Foundation, so use this only for
  /// trusted origins. An encoded body is refused there, because Foundation accepts a truncated one.
  ///
  /// - Parameters:
  ///   - configuration: The configuration, which is copied.
  ///   - secrets: The names of header fields that redirects to another origin don't receive.
  public convenience init(configuration: URLSessionConfiguration, secrets: [String] = []) {
    var fields = HTTPFields()
    for (name, value) in configuration.httpAdditionalHeaders ?? [:] {
      fields.append("\(value)", for: "\(name)")
    }
    self.init(URLSessionTransport(configuration), fields: fields, secrets: secrets)
  }

  private let decodesBodies: Bool

  init(
    _ transport: any HTTPTransport, fields: HTTPFields = [:], secrets: [String] = [],
    decodesBodies: Bool = true
  ) {
    self.decodesBodies = decodesBodies
    self.transport = transport
    self.fields = fields
    secretFields = secrets
  }

  /// Starts a transfer that completes once, on a global dispatch queue.
  ///
  /// - Returns: A closure that cancels the transfer, which then completes with `cancelled` unless
  ///   it has completed.
  func start(
    _ request: URLRequest, limits: Transfer.Limits, clock: TimeSource = .system,
    completion: @escaping Transfer.Completion
  ) -> @Sendable () -> Void {
    do throws(NetworkError.Reason) {
      var outgoing = try OutgoingRequest(request, sessionFields: fields)
      if !outgoing.fields.contains("Accept-Encoding") {
        outgoing.fields["Accept-Encoding"] = acceptedCodings(for: outgoing)
      }
      let transfer = Transfer(
        outgoing, url: request.url, session: self, limits: limits, clock: clock,
        completion: completion)
      transfer.begin()
      return { transfer.cancel() }
    } catch {
      let error = NetworkError(error, url: request.url)
      DispatchQueue.global().async { completion(.failure(error)) }
      return {}
    }
  }

  func reader(for request: OutgoingRequest, maximumSize: Int) -> ResponseReader {
    ResponseReader(
      method: request.method, maximumSize: maximumSize, arrivesDecoded: transport.decodesBodies,
      decodes: decodesBodies)
  }

  /// Returns the codings that the level accepts, or `nil` to leave the choice to the transport.
  private func acceptedCodings(for request: OutgoingRequest) -> String? {
    if URLLoading.isCorelibs {
      return BodyCoding.accepted(by: request, canDecode: !transport.decodesBodies)
    }
    return request.fields.contains("Range") ? "identity" : nil
  }
}
