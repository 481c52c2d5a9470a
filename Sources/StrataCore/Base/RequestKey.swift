import Foundation

/// A request as a key. Two keys are equal only if their URLs, methods, header fields, bodies, and
/// cache policies are equal byte for byte.
///
/// Foundation's `==` of `URLRequest` ignores the body and the header fields, so the requests of two
/// users can be equal. Therefore use this type instead of `URLRequest` as the key of a cache, a
/// `Set`, or a dictionary:
///
///     let pages: Cache<RequestKey, Data> = .memory() + .network()
///     let page = try await pages.value(for: RequestKey(URLRequest(url: url)))
///
/// If keys have the type `URLRequest`, Strata's memory level and its verbs, such as `pooled()`,
/// compare them in the same way. But a request whose method isn't GET or HEAD isn't reusable: it's
/// sent for each get, and no level stores its value.
///
/// A key that only contains requests is compared with its own `==`, which uses Foundation's `==`.
/// Examples are `[URLRequest]`, `URLRequest?`, and your own structures with a `URLRequest`. In such
/// a key, use a `RequestKey` instead.
public struct RequestKey: Hashable, Sendable {
  /// The request.
  public let request: URLRequest
  /// Whether a value that was loaded for an equal request can answer this request.
  public let isReusable: Bool
  /// The bytes of the URL.
  private let address: [UInt8]
  /// The sorted fields, with lowercase names.
  private let fields: [[UInt8]]
  /// The hash of the URL, the fields, and the body.
  private let digest: Int

  /// Creates a key.
  ///
  /// - Parameters:
  ///   - request: The request. Its timeout is ignored.
  ///   - isReusable: Whether an earlier value can answer the request. By default, this is `true`
  ///     only for GET and HEAD. Pass `true` for another request that only reads, such as a search
  ///     with POST. A request with a body stream is never reusable.
  /// - Complexity: O(n) in the length of the request. Later comparisons and hashes reuse the
  ///   result.
  public init(_ request: URLRequest, isReusable: Bool? = nil) {
    self.request = request
    self.isReusable =
      request.httpBodyStream == nil && isReusable ?? Self.isSafe(request.httpMethod)
    let text = request.url?.absoluteString ?? ""
    address = Array(text.utf8)
    fields = (request.allHTTPHeaderFields ?? [:])
      .map { name, value in
        let line = "\(name.lowercased()):\(value)"
        return Array(line.utf8)
      }
      .sorted { $0.lexicographicallyPrecedes($1) }
    var hasher = Hasher()
    hasher.combine(address)
    hasher.combine(fields)
    hasher.combine(request.httpBody)
    digest = hasher.finalize()
  }

  /// Whether a method only reads, so that an earlier value can answer its requests by default.
  private static func isSafe(_ method: String?) -> Bool {
    ["GET", "HEAD"].contains(method ?? "GET")
  }

  /// Whether the key of a request is reusable by default.
  fileprivate static func isReusable(_ request: URLRequest) -> Bool {
    isSafe(request.httpMethod) && request.httpBodyStream == nil
  }

  /// Whether two keys are equal.
  public static func == (one: RequestKey, other: RequestKey) -> Bool {
    one.digest == other.digest && one.isReusable == other.isReusable
      && one.address == other.address && one.request.httpMethod == other.request.httpMethod
      && one.request.cachePolicy == other.request.cachePolicy && one.fields == other.fields
      && one.request.httpBody == other.request.httpBody
  }

  /// Hashes the URL, the fields, and the body.
  public func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

extension KeyHash /* : requests as keys */ {
  /// Whether two keys share an entry. Two requests share an entry only if both are reusable, and if
  /// they're equal as ``RequestKey`` values. The `==` of `URLRequest` doesn't matter.
  @inlinable
  @inline(__always)
  package static func areSame<Key: Hashable>(_ one: Key, _ other: Key) -> Bool {
    isRequest(Key.self) ? areSameRequests(one, other) : one == other
  }

  /// Whether a value that was loaded for this key can answer a later get.
  @inlinable
  @inline(__always)
  package static func isReusable<Key>(_ key: Key) -> Bool {
    isRequest(Key.self) ? isReusableRequest(key) : true
  }

  /// Whether a key type is a request. In specialized code, the compiler evaluates this check.
  @inlinable
  @inline(__always)
  package static func isRequest<Key>(_ type: Key.Type) -> Bool {
    Key.self == URLRequest.self || Key.self == RequestKey.self
  }

  @usableFromInline
  static func isReusableRequest<Key>(_ key: Key) -> Bool {
    if let request = key as? URLRequest { return RequestKey.isReusable(request) }
    return (key as? RequestKey)?.isReusable ?? true
  }

  @usableFromInline
  static func areSameRequests<Key>(_ one: Key, _ other: Key) -> Bool {
    guard isReusableRequest(one), let one = request(one), let other = request(other) else {
      return false
    }
    return one == other
  }

  @usableFromInline
  static func requestHash<Key: Hashable>(_ key: Key) -> Int {
    request(key)?.hashValue ?? key.hashValue
  }

  private static func request<Key>(_ key: Key) -> RequestKey? {
    (key as? URLRequest).map { RequestKey($0) } ?? key as? RequestKey
  }
}
