import StrataNetwork

/// The outcome of a request to an HTTP cache, as RFC 9211 defines it.
public struct HTTPCacheStatus: Sendable, Equatable {
  /// The ways in which a cache can answer a request.
  public enum Kind: String, Sendable, CaseIterable {
    /// The store answered the request.
    case hit
    /// The origin confirmed the stored response with a 304.
    case revalidated
    /// The origin answered the request with a new response.
    case miss
    /// The request bypassed the store, or the cache answered it with a 504 without calling the
    /// origin. When a request bypasses the store and changes data on the origin, it invalidates
    /// stored responses.
    case passed
  }

  /// The reason for forwarding a request (RFC 9211, section 2.2).
  public enum Forward: String, Sendable, CaseIterable {
    /// The store can't answer requests with this method.
    case method
    /// The store has no response for the URL.
    case uriMiss = "uri-miss"
    /// The store has responses for the URL, but no response matches the header fields of the
    /// request.
    case varyMiss = "vary-miss"
    /// The stored response is stale, or must be validated for each request.
    case stale
    /// The directives of the request require forwarding.
    case request
    /// The stored response lacks some of the bytes that the request needs.
    case partial
  }

  /// The kind of the answer, such as a hit.
  public let kind: Kind
  /// The reason for forwarding, or `nil` if the request wasn't forwarded.
  public var forward: Forward?
  /// The HTTP status of the origin's response, or `nil` if there was no response.
  public var forwardStatus: Int?
  /// Whether the store has accepted the response. The store may refuse a response, for example
  /// because the device is full.
  public var isStored = false
  /// Whether the request has waited for another request for the same response.
  public var isCollapsed = false
  /// The number of seconds until the response stops being fresh. It's negative if the response is
  /// stale, and `nil` if the request was forwarded.
  public var timeToLive: Int64?
  /// A token with more detail about the outcome, such as `stale-if-error`.
  public var detail: String?

  init(
    _ kind: Kind, forward: Forward? = nil, forwardStatus: Int? = nil, timeToLive: Int64? = nil,
    detail: String? = nil
  ) {
    (self.kind, self.forward, self.forwardStatus) = (kind, forward, forwardStatus)
    (self.timeToLive, self.detail) = (timeToLive, detail)
  }

  /// Returns the value of a `Cache-Status` field.
  ///
  ///     let answer = try await HTTPCache(storedIn: disk).answer(to: URLRequest(url: url)).value
  ///     answer.status.field()  // "strata; hit; ttl=376"
  ///
  /// - Parameter name: The name of the cache, which must be a token. The default is `strata`.
  public func field(_ name: String = "strata") -> String {
    var parts = [name]
    if kind == .hit, forward == nil { parts.append("hit") }
    if let forward { parts.append("fwd=\(forward.rawValue)") }
    if let forwardStatus { parts.append("fwd-status=\(forwardStatus)") }
    if let timeToLive { parts.append("ttl=\(timeToLive)") }
    if isStored { parts.append("stored") }
    if isCollapsed { parts.append("collapsed") }
    if let detail { parts.append("detail=\(detail)") }
    return parts.joined(separator: "; ")
  }
}
