import Strata

/// The outcome of a request to an HTTP cache, in the terms of RFC 9211.
public struct HTTPCacheStatus: Sendable, Equatable {
  /// The main outcomes.
  public enum Kind: String, Sendable, CaseIterable {
    /// The store answered.
    case hit
    /// The origin confirmed the stored response with a 304.
    case revalidated
    /// The origin answered.
    case miss
    /// The cache wasn't involved, except for an invalidation.
    case passed
  }

  /// The reason for forwarding a request (RFC 9211, section 2.2).
  public enum Forward: String, Sendable, CaseIterable {
    /// The method can't be answered from the store.
    case method
    /// The store has no response for the URL.
    case uriMiss = "uri-miss"
    /// The store has only responses to requests with other fields.
    case varyMiss = "vary-miss"
    /// The stored response is stale, or must be validated for each request.
    case stale
    /// The request demands forwarding.
    case request
    /// The store has only another part of the representation.
    case partial
  }

  /// The outcome.
  public let kind: Kind
  /// The reason for forwarding, or `nil` if the request wasn't forwarded.
  public var forward: Forward?
  /// The status of the origin's response, or `nil` if there was no response.
  public var forwardStatus: Int?
  /// Whether the response was stored.
  public var isStored = false
  /// Whether the request waited for another request of its key.
  public var isCollapsed = false
  /// The seconds until the end of freshness, negative after it. `nil` if the response isn't stored.
  public var timeToLive: Int64?
  /// A token with more detail about the reason.
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
  /// - Parameter name: The name of the cache: a token.
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
