import Foundation

/// A request as a key. Two keys are equal only if their requests ask for the same thing: the URL,
/// the method, the header fields, the body, and the cache policy are compared byte for byte.
///
/// Foundation's `==` of `URLRequest` ignores the body and the fields, so two users' requests can be
/// equal. In a `Set` or a dictionary, and in `getSome`, use this type instead of `URLRequest`:
///
///     let pages: Cache<RequestKey, Data> = .memory() + .network()
///     let page = try await pages.value(for: RequestKey(URLRequest(url: url)))
///
/// Strata's memory level and its verbs, such as `pooled()`, compare keys of the type `URLRequest`
/// in the same way. A request whose method isn't GET or HEAD isn't reusable: it's sent for each
/// get, and no level stores its value.
public struct RequestKey: Hashable, Sendable {
  /// The request.
  public let request: URLRequest
  /// Whether a value that was loaded for an equal request can answer this request.
  public let isReusable: Bool
  /// The fields with lowercase names, sorted.
  private let fields: [[UInt8]]

  /// Creates a key.
  ///
  /// - Parameters:
  ///   - request: The request. The key ignores its timeout.
  ///   - isReusable: Whether an earlier value can answer the request. By default, this is the case
  ///     only for GET and HEAD. Pass `true` for a request that only reads, such as a search with
  ///     POST. A request with a body stream is never reusable.
  public init(_ request: URLRequest, isReusable: Bool? = nil) {
    self.request = request
    let isSafe = ["GET", "HEAD"].contains(request.httpMethod ?? "GET")
    self.isReusable = request.httpBodyStream == nil && isReusable ?? isSafe
    fields = (request.allHTTPHeaderFields ?? [:])
      .map { name, value in
        let line = "\(name.lowercased()):\(value)"
        return Array(line.utf8)
      }
      .sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Whether two keys are equal.
  public static func == (one: RequestKey, other: RequestKey) -> Bool {
    one.isReusable == other.isReusable && one.address.elementsEqual(other.address)
      && one.request.httpMethod == other.request.httpMethod
      && one.request.cachePolicy == other.request.cachePolicy && one.fields == other.fields
      && one.request.httpBody == other.request.httpBody
  }

  /// Hashes the URL, the fields, and the body.
  public func hash(into hasher: inout Hasher) {
    var text = request.url?.absoluteString ?? ""
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(fields)
    hasher.combine(request.httpBody)
  }

  private var address: String.UTF8View {
    let text = request.url?.absoluteString ?? ""
    return text.utf8
  }
}

extension KeyHash /* : requests as keys */ {
  /// Whether two keys are the same key. Two requests are the same key only if they're equal as
  /// ``RequestKey`` values and reusable, whatever their own `==` says.
  @inlinable
  @inline(__always)
  static func areSame<Key: Hashable>(_ one: Key, _ other: Key) -> Bool {
    isRequest(Key.self) ? areSameRequests(one, other) : one == other
  }

  /// Whether a value of this key can answer a later get.
  @usableFromInline
  static func isReusable<Key>(_ key: Key) -> Bool {
    isRequest(Key.self) ? request(key)?.isReusable ?? true : true
  }

  @usableFromInline
  static func isRequest<Key>(_ type: Key.Type) -> Bool {
    type == URLRequest.self || type == RequestKey.self
  }

  @usableFromInline
  static func areSameRequests<Key>(_ one: Key, _ other: Key) -> Bool {
    guard let one = request(one), let other = request(other) else { return false }
    return one.isReusable && one == other
  }

  @usableFromInline
  static func requestHash<Key: Hashable>(_ key: Key) -> Int {
    (request(key) ?? RequestKey(URLRequest(url: URL(fileURLWithPath: "/")))).hashValue
  }

  private static func request<Key>(_ key: Key) -> RequestKey? {
    (key as? URLRequest).map { RequestKey($0) } ?? key as? RequestKey
  }
}
