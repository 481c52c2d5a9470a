import Foundation

/// A set of connections that network levels share.
///
/// Sessions store no responses, cookies, or credentials between requests.
///
///     let session = NetworkSession(fields: ["Accept-Language": "en", "X-Key": "k1"], secrets: ["X-Key"])
///     let pages: Fetcher<URL, Data> = .network(session: session)
///
/// On Linux, a session uses libcurl, so a malformed response can't crash the process. It reuses
/// connections, and uses HTTP/2 if the origin supports it. The environment variable `SSL_CERT_FILE`
/// names a file that replaces the system's certificates. The variables `http_proxy`, `https_proxy`,
/// `all_proxy`, and `no_proxy` select proxies. When `libcurl.so.4` can't be loaded, the session
/// writes a warning to standard error, and uses `URLSession`, as it does on Apple's platforms.
///
/// On Linux, a request that isn't idempotent, such as POST, always opens a new connection.
/// Otherwise, libcurl would send such a request again when the origin has closed a reused
/// connection.
public final class NetworkSession: Sendable {
  /// The default session.
  public static let shared = NetworkSession()

  /// The names of the header fields that a redirect to another origin removes.
  let secretFields: [String]
  /// The names of the header fields by which a cache tells users apart, even across sessions: the
  /// secret fields, and the fields that the session adds. Fields that only select a form of the response
  /// don't identify a user, so they're left out.
  let identifyingFields: [String]
  let transport: any HTTPTransport
  let running = RunningTransfers()
  private let fields: HeaderFields

  /// The fields that a session may add without identifying a user. When a response depends on such
  /// a field, the `Vary` of the response lists the field.
  private static let negotiatingFields = [
    "Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language", "Cache-Control", "Pragma",
    "User-Agent",
  ]

  /// Creates a session that doesn't share connections with other sessions.
  ///
  /// - Parameters:
  ///   - fields: The header fields to add to every request. When a request already has a field with
  ///     the same name, the request keeps its own field. In an HTTP cache, these fields also
  ///     identify the user, except for those that only select a form of the response: `Accept`,
  ///     `Accept-Charset`, `Accept-Encoding`, `Accept-Language`, `Cache-Control`, `Pragma`, and
  ///     `User-Agent`.
  ///   - secrets: The names of header fields that identify the user. A redirect to another origin
  ///     removes them, and also `Authorization`, `Cookie`, `Host`, `Proxy-Authorization`, and the
  ///     credentials of the URL.
  ///   - connectionsPerHost: The maximum number of connections to one host. The default is 64.
  ///     Further requests wait for a free connection. This wait counts toward their deadlines.
  ///   - idleTimeout: The time after which an unused connection isn't used again, in whole seconds
  ///     and at least one. The session closes such a connection when it next opens another one, or
  ///     when it has had no request at all for this time. The default is 60 s, and the maximum is
  ///     2^31 s. `URLSession` ignores this time, and has its own rules.
  ///   - decodesBodies: Whether to decode response bodies with a known content coding. The default
  ///     is `true`. In a proxy, pass `false` to forward bodies unchanged. `URLSession` always
  ///     decodes bodies.
  public convenience init(
    fields: HeaderFields = [:], secrets: [String] = [], connectionsPerHost: Int = 64,
    idleTimeout: Duration = .seconds(60), decodesBodies: Bool = true
  ) {
    let transport = SystemTransport.make(
      connectionsPerHost: min(max(1, connectionsPerHost), 1 << 16),
      idleTimeout: min(max(idleTimeout, .zero), .seconds(1 << 31)))
    self.init(transport, fields: fields, secrets: secrets, decodesBodies: decodesBodies)
  }

  /// Creates a session that uses `URLSession` on every platform.
  ///
  /// The caches, cookies, and credentials of the configuration are ignored. Its cache policy
  /// becomes directives of `Cache-Control`, and its timeouts become deadlines. When the platform
  /// can't honor a setting, each request fails with ``NetworkError/Reason/refusedRequest(_:)``.
  /// This session itself adds `httpAdditionalHeaders` to each request, so it can remove secret
  /// fields when a redirect leads to another origin.
  ///
  /// On Linux, a malformed response can crash Foundation, so use this session only for trusted
  /// origins. There, it also refuses encoded bodies, because Foundation doesn't detect a truncated
  /// body.
  ///
  /// - Parameters:
  ///   - configuration: The configuration, which is copied.
  ///   - secrets: The names of header fields that a redirect to another origin removes.
  public convenience init(configuration: URLSessionConfiguration, secrets: [String] = []) {
    var fields = HeaderFields()
    for (name, value) in configuration.httpAdditionalHeaders ?? [:] {
      fields.append("\(value)", for: "\(name)")
    }
    fields.add(RequestSettings.directives(configuration.requestCachePolicy))
    self.init(
      URLSessionTransport(configuration), fields: fields, secrets: secrets,
      settings: Settings(configuration))
  }

  /// The settings of a configuration that apply to each request.
  struct Settings: Sendable {
    /// The maximum duration of a transfer, or `nil` if the level's deadline applies.
    var deadline: Duration?
    /// The reason why no request can be sent, or `nil` if requests can be sent.
    var fault: String?

    init() {}

    init(_ configuration: URLSessionConfiguration) {
      fault = URLLoading.unsupportedSetting(of: configuration)
      if configuration.requestCachePolicy == .returnCacheDataDontLoad {
        fault = "the configuration's cache policy forbids loading"
      }
      do throws(NetworkError.Reason) {
        let all = [
          try RequestSettings.deadline(configuration.timeoutIntervalForRequest),
          try RequestSettings.deadline(configuration.timeoutIntervalForResource, default: 604_800),
        ]
        deadline = all.compactMap(\.self).min()
      } catch {
        fault = "the configuration's timeouts aren't durations"
      }
    }
  }

  private let settings: Settings
  private let decodesBodies: Bool
  /// All fields of a request for a URL alone, or `nil` if this session can't send one.
  private let plainFields: HeaderFields?

  init(
    _ transport: any HTTPTransport, fields: HeaderFields = [:], secrets: [String] = [],
    decodesBodies: Bool = true, settings: Settings = Settings()
  ) {
    self.settings = settings
    self.decodesBodies = decodesBodies
    self.transport = transport
    self.fields = fields
    secretFields = secrets
    let others = fields.map(\.name).filter { name in
      !Self.negotiatingFields.contains { HTTPSyntax.equal($0, name) }
    }
    identifyingFields = secrets + others
    let plain = try? URL(string: "http://localhost/", encodingInvalidCharacters: false).map {
      url throws(NetworkError.Reason) in
      try Self.outgoing(URLRequest(url: url), fields, transport)
    }
    plainFields = plain?.fields
  }

  /// Starts a transfer that calls `completion` once, on any thread. Because it may be the
  /// transport's, `completion` must run no code of the program.
  ///
  /// - Returns: A closure that cancels the transfer. Then an incomplete transfer fails with
  ///   `cancelled`.
  func start(
    _ source: RequestSource, limits: Transfer.Limits, clock: TimeSource = .system,
    completion: @escaping Transfer.Completion
  ) -> @Sendable () -> Void {
    do throws(NetworkError.Reason) {
      if let fault = settings.fault { throw .refusedRequest(fault) }
      var limits = limits
      if let own = settings.deadline { limits.deadline = min(limits.deadline, own) }
      if case .request(let request) = source {
        try RequestSettings.check(request)
        let own = try RequestSettings.deadline(request.timeoutInterval)
        limits.deadline = min(limits.deadline, own ?? limits.deadline)
      }
      let transfer = Transfer(
        try outgoing(source), url: source.url, session: self, limits: limits, clock: clock,
        completion: completion)
      running.add(transfer)
      transfer.begin()
      return { transfer.cancel() }
    } catch {
      let error = NetworkError(error, url: source.url)
      DispatchQueue.global().async { completion(.failure(error)) }
      return {}
    }
  }

  func start(
    _ request: URLRequest, limits: Transfer.Limits, clock: TimeSource = .system,
    completion: @escaping Transfer.Completion
  ) -> @Sendable () -> Void {
    start(.request(request), limits: limits, clock: clock, completion: completion)
  }

  /// Returns a request exactly as this session first sends it, before any redirect. When the
  /// session refuses the request, returns the request unchanged.
  func sent(_ source: RequestSource) -> SentRequest {
    do throws(NetworkError.Reason) {
      let outgoing = try outgoing(source)
      return SentRequest(outgoing.urlRequest, identifying: identifyingFields)
    } catch { return SentRequest(source.urlRequest, identifying: identifyingFields) }
  }

  /// Returns a request with every field that this session adds.
  private func outgoing(_ source: RequestSource) throws(NetworkError.Reason) -> OutgoingRequest {
    if case .url(let url) = source, let plainFields, NetworkURL.isPlain(url) {
      return OutgoingRequest(plain: url, fields: plainFields)
    }
    return try Self.outgoing(source.urlRequest, fields, transport)
  }

  private static func outgoing(
    _ request: URLRequest, _ fields: HeaderFields, _ transport: any HTTPTransport
  ) throws(NetworkError.Reason) -> OutgoingRequest {
    var outgoing = try OutgoingRequest(request, sessionFields: fields)
    if !outgoing.fields.contains("Accept-Encoding") {
      outgoing.fields["Accept-Encoding"] = acceptedCodings(for: outgoing, transport)
    }
    return outgoing
  }

  func reader(for request: OutgoingRequest, maximumSize: Int) -> ResponseReader {
    ResponseReader(
      method: request.method, maximumSize: maximumSize, arrivesDecoded: transport.decodesBodies,
      decodes: decodesBodies)
  }

  /// Returns the value of the `Accept-Encoding` field, or `nil` if the transport sets it.
  private static func acceptedCodings(
    for request: OutgoingRequest, _ transport: any HTTPTransport
  ) -> String? {
    if URLLoading.isCorelibs {
      return BodyCoding.accepted(by: request, canDecode: !transport.decodesBodies)
    }
    return request.fields.contains("Range") ? "identity" : nil
  }
}
