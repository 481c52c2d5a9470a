import Foundation
import StrataNetwork

extension HTTPCachePolicy {
  /// A reason not to store a response (RFC 9111, section 3).
  public enum Refusal: String, Sendable, Equatable, CaseIterable {
    /// The method doesn't allow the cache to store the response. Only GET without a body and POST
    /// do. But a response to POST must have status 200, a stated lifetime, and a `Content-Location`
    /// equal to the URL.
    case method
    /// The status isn't final, or it concerns the request instead of the resource, as 304, 401,
    /// 416, and 429 do. This also applies to a response with `must-understand` whose status the
    /// cache doesn't understand.
    case status
    /// The request has the directive `no-store` (RFC 9111, section 5.2.1.5).
    case requestNoStore = "request-no-store"
    /// The response has the directive `no-store` (RFC 9111, section 5.2.2.5).
    case noStore = "no-store"
    /// The response has the directive `private`, and the cache is shared (RFC 9111, section
    /// 5.2.2.7).
    case isPrivate = "private"
    /// The request has `Authorization`, and the cache is shared (RFC 9111, section 3.5).
    case authorization
    /// The response sets a cookie, and the cache is shared. Since it has neither `public` nor a
    /// stated lifetime, the origin probably isn't aware that every user would get the cookie.
    case cookie = "set-cookie"
    /// `Vary` contains `*`, so the response can't match any other request (RFC 9111, section 4.1).
    /// More than 64 names in `Vary`, or a member that isn't a name, count as `*`.
    case vary
    /// No directive, lifetime, or status of the response allows the cache to store it.
    case unspecified
    /// The response comes from another URL, because the origin's fetcher has followed a redirect.
    /// The redirect might expire before the response, so the cache doesn't store the response under
    /// the requested URL.
    case redirect
    /// The response is a 206 that doesn't have exactly one valid range (RFC 9110, section 14.4), or
    /// that answers a request without a range.
    case range
    /// The body is streamed to the client, because it's too long to store or has no foreseeable
    /// end.
    case streamed
  }

  /// Returns the reason not to store a response, or `nil` if the cache may store it.
  ///
  /// - Parameters:
  ///   - response: The response, with the times of its request and its arrival.
  ///   - request: The request that the response answers.
  public func refusal(to response: NetworkResponse, for request: URLRequest) -> Refusal? {
    refusal(to: response, for: RequestHead(request).judged(by: response.sent))
  }

  func refusal(to response: NetworkResponse, for request: RequestHead) -> Refusal? {
    let control = directives(of: response.fields).control
    if response.rest != nil { return .streamed }
    if !isCacheable(request, response) { return .method }
    if request.control.contains("no-store") { return .requestNoStore }
    if !request.isAnswered(by: response) { return .redirect }
    if let refusal = refusal(byStatusOf: response, control) { return refusal }
    if isShared, control.isUnqualified("private") { return .isPrivate }
    if isShared, request.fields.contains("Authorization"), !isReleased(control) {
      return .authorization
    }
    if isShared, setsCookie(response, control) { return .cookie }
    if Vary.names(response.fields) == nil { return .vary }
    if response.status == 206, StoredRange(response.fields, length: response.body.count) == nil {
      return .range
    }
    return isSpecified(response, control) ? nil : .unspecified
  }

  /// Returns a refusal if the status or the directive `no-store` forbids the cache to store the
  /// response. When the cache understands the status, `must-understand` overrides `no-store` (RFC
  /// 9111, section 5.2.2.3).
  private func refusal(byStatusOf response: NetworkResponse, _ control: CacheControl) -> Refusal? {
    guard (200...999).contains(response.status), !HTTPStatus.concernsRequest(response.status)
    else { return .status }
    if control.contains("must-understand") {
      return HTTPStatus.isUnderstood(response.status) ? nil : .status
    }
    return control.contains("no-store") ? .noStore : nil
  }

  /// Whether the method allows the cache to store the response. GET does. POST does only if the
  /// response has status 200, states a lifetime, and represents the resource at the request's URL
  /// (RFC 9110, section 9.3.3).
  private func isCacheable(_ request: RequestHead, _ response: NetworkResponse) -> Bool {
    guard request.method == "POST" else { return request.method == "GET" && !request.hasBody }
    guard case .explicit = source(of: response), response.status == 200,
      let location = response.fields["Content-Location"]
    else { return false }
    let url = location.isEmpty ? request.url : NetworkURL.url(location, relativeTo: request.url)
    return url.map(StoreKey.text) == StoreKey.text(request.url)
  }

  /// Whether the directives allow a shared cache to store the response to an authenticated request
  /// (RFC 9111, section 3.5).
  func isReleased(_ control: CacheControl) -> Bool {
    ["must-revalidate", "public", "s-maxage"].contains(where: control.contains)
  }

  /// Returns the fields that identify the user to whom a response belongs. In a shared cache, there
  /// are no such fields if the origin allows all users to share the response.
  func reader(of response: NetworkResponse, to request: RequestHead) -> [SelectingField] {
    isShared && isReleased(directives(of: response.fields).control) ? [] : request.reader
  }

  /// Whether a response sets a cookie, which a shared cache would pass to every user, although the
  /// origin states neither a lifetime nor `public`.
  private func setsCookie(_ response: NetworkResponse, _ control: CacheControl) -> Bool {
    if case .explicit = source(of: response) { return false }
    return !control.contains("public")
      && StoredFields.storable(response.fields, for: self).contains("Set-Cookie")
  }

  private func isSpecified(_ response: NetworkResponse, _ control: CacheControl) -> Bool {
    if case .explicit = source(of: response) { return true }
    return control.contains("public") || !isShared && control.contains("private")
      || HTTPStatus.isHeuristicallyCacheable(response.status)
  }
}
