import StrataNetwork

/// Evaluates the conditions of a request against a stored response (RFC 9111, section 4.3.2).
enum Conditions {
  /// Whether the request's conditions show that the client already has the response, so the answer
  /// is a 304.
  ///
  /// `If-None-Match` has precedence over `If-Modified-Since`. Both conditions apply only to
  /// responses with a 2xx status.
  static func isUnmodified(_ response: NetworkResponse, for request: HeaderFields) -> Bool {
    guard (200..<300).contains(response.status) else { return false }
    if request.contains("If-None-Match") {
      return EntityTag.list(request, "If-None-Match").contains { tag in
        HTTPSyntax.same(tag, "*")
          || response.entityTag.map { EntityTag.matchesWeakly(tag, $0) } == true
      }
    }
    let now = response.responseTime.sinceEpoch.components.seconds
    guard let since = request["If-Modified-Since"] else { return false }
    // Validators are opaque: a client may send one that isn't a date.
    if let modified = response.lastModified, HTTPSyntax.same(modified, since) { return true }
    guard let limit = HTTPDate.seconds(since, now: now)
    else { return false }
    return response.time(of: "Last-Modified") ?? response.date.components.seconds <= limit
  }

  /// Whether the `Range` field of a request applies. When there's an `If-Range` field, its
  /// validator must be strong, and equal to the response's validator (RFC 9110, section 13.1.5).
  static func rangeApplies(_ response: NetworkResponse, for request: HeaderFields) -> Bool {
    guard let validator = request["If-Range"] else { return true }
    if EntityTag.isTag(validator) {
      return EntityTag.matchesStrongly(validator, response.entityTag)
    }
    guard let modified = response.time(of: "Last-Modified") else { return false }
    let isStrong = response.date.components.seconds > modified
    return isStrong && HTTPSyntax.same(response.fields["Last-Modified"] ?? "", validator)
  }

  /// Returns the header fields of a request that validates a stored response (RFC 9111, section
  /// 4.3.1).
  ///
  /// In this request, the conditions of the cache replace those of the client. The cache evaluates
  /// the client's conditions itself, when the response arrives. Validators are opaque, so the
  /// request contains the bytes that the origin sent, even if they aren't a date.
  ///
  /// Only a success can be validated. Origins evaluate conditions only if the response would be a
  /// success (RFC 9110, section 13.2.1). So for a stored 404, a 304 would mean that it's outdated.
  static func validating(_ stored: StoredResponse, _ request: HeaderFields) -> HeaderFields? {
    guard (200..<300).contains(stored.response.status) else { return nil }
    let tag = stored.response.entityTag
    let modified = stored.response.lastModified
    guard tag != nil || modified != nil else { return nil }
    var fields = request
    fields["If-None-Match"] = tag
    fields["If-Modified-Since"] = modified
    return fields
  }

  /// Whether a 304 refers to a stored response (RFC 9111, section 4.3.4).
  ///
  /// If the 304 has a strong entity tag, the stored tag must be equal. If it has a weak entity tag,
  /// a weak match is enough. Without validators, a 304 refers to the response whose validators were
  /// in the request.
  static func selects(_ notModified: NetworkResponse, _ stored: NetworkResponse) -> Bool {
    if let tag = notModified.entityTag, let other = stored.entityTag {
      return EntityTag.isStrong(tag)
        ? HTTPSyntax.same(tag, other) : EntityTag.matchesWeakly(tag, other)
    }
    guard notModified.entityTag == nil else { return false }
    guard let modified = notModified.lastModified, let other = stored.lastModified else {
      return true
    }
    if HTTPSyntax.same(modified, other) { return true }
    let (one, two) = (notModified.time(of: "Last-Modified"), stored.time(of: "Last-Modified"))
    return one != nil && one == two
  }
}
