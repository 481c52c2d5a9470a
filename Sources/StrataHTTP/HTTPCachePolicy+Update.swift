import StrataNetwork

extension HTTPCachePolicy {
  /// The maximum size of a body that the cache puts together from parts. Without a limit, a client
  /// could read a film in small parts, and with each part, the cache would write everything that it
  /// has of the film.
  static let maximumUnion = 64 << 20

  /// Returns a stored response, updated with the header fields and times of a newer one. The newer
  /// one is a 304 that validates it (RFC 9111, section 4.3.4), or a 206 that extends it (section
  /// 3.4).
  func freshened(
    _ stored: StoredResponse, by response: NetworkResponse, for request: RequestHead
  ) -> StoredResponse {
    var result = stored
    result.response.fields = StoredFields.updated(
      stored.response.fields, by: response.dated.fields, for: self)
    result.response.requestTime = response.requestTime
    result.response.responseTime = response.responseTime
    result.selecting = Vary.selecting(result.response.fields, request.fields)
    return result
  }

  /// Returns a stored response, updated with the header fields and times of a 200 response to HEAD.
  /// Returns `nil` if the stored response is outdated: it isn't a success, or the response to HEAD
  /// describes a different representation (RFC 9111, section 4.3.5).
  func freshened(
    _ stored: StoredResponse, byHead head: NetworkResponse, for request: RequestHead
  ) -> StoredResponse? {
    let fields = stored.response.fields
    guard [200, 206].contains(stored.response.status) else { return nil }
    for name in ["ETag", "Last-Modified"] where head.fields.contains(name) {
      guard HTTPSyntax.same(head.fields[name] ?? "", fields[name] ?? "") else { return nil }
    }
    if let length = head.fields["Content-Length"] {
      guard length == String(stored.completeLength ?? -1) else { return nil }
    }
    return freshened(stored, by: head, for: request)
  }

  /// Returns a response as the cache stores it: with a `Date` field, but without interim responses
  /// and without the fields that must not be stored.
  func stored(_ response: NetworkResponse, for request: RequestHead) -> StoredResponse {
    var stored = response.dated
    stored.fields = StoredFields.storable(stored.fields, for: self)
    stored.interim = []
    var range =
      response.status == 206
      ? StoredRange(response.fields, length: response.body.count) : nil
    range?.asked = request.fields["Range"]
    return StoredResponse(
      stored, selecting: Vary.selecting(response.fields, request.fields), range: range)
  }

  /// Returns a stored response combined with a 206 response, or `nil` if the two responses can't be
  /// combined. They must have the same strong entity tag, and their ranges must overlap or adjoin
  /// (RFC 9111, section 3.4). Together, they may have at most ``maximumUnion`` bytes.
  ///
  /// Some origins give the compressed and the plain form of a page the same tag. Therefore the new
  /// part must not state a type or coding that differs from the stored response's.
  func combined(
    _ stored: StoredResponse, with part: StoredResponse, for request: RequestHead
  ) -> StoredResponse? {
    guard let range = part.range,
      EntityTag.matchesStrongly(stored.response.entityTag, part.response.entityTag),
      stored.response.hasForm(of: part.response),
      stored.positions.upperBound >= part.positions.lowerBound,
      part.positions.upperBound >= stored.positions.lowerBound
    else { return nil }
    let first = min(stored.positions.lowerBound, part.positions.lowerBound)
    let end = max(stored.positions.upperBound, part.positions.upperBound)
    guard end - first <= Self.maximumUnion else { return nil }
    if let one = stored.completeLength, let other = range.complete, one != other { return nil }
    var result = freshened(stored, by: part.response, for: request)
    result.response.body = stored.body(extendedBy: part)
    result.mark(first: first, complete: range.complete ?? stored.completeLength)
    return result
  }
}

extension NetworkResponse {
  /// Whether another response states the same type and the same codings as this one. A 206 may omit
  /// them (RFC 9110, section 15.3.7).
  fileprivate func hasForm(of other: NetworkResponse) -> Bool {
    ["Content-Type", "Content-Encoding"].allSatisfy { name in
      !other.fields.contains(name)
        || HTTPSyntax.same(
          HTTPSyntax.combined(other.fields.values(of: name)) ?? "",
          HTTPSyntax.combined(fields.values(of: name)) ?? "")
    }
  }

  /// This response with a valid `Date` field. The time of arrival replaces an invalid or absent
  /// `Date` (RFC 9110, section 6.6.1).
  var dated: NetworkResponse {
    guard time(of: "Date") == nil else { return self }
    var result = self
    result.fields["Date"] = HTTPDate.text(responseTime.sinceEpoch.components.seconds)
    return result
  }
}
