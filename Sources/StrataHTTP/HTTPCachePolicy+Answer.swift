import Foundation
import StrataNetwork

extension HTTPCachePolicy {
  /// Uses a stored response to answer a request. The answer is the response, the part of it that a
  /// range selects, a 304, or a 416 (RFC 9111, sections 4 and 4.3.2).
  ///
  /// Returns `nil` if the stored response lacks bytes that the request needs.
  func answer(
    from stored: StoredResponse, to request: RequestHead, at now: TimeSource.Instant
  ) -> NetworkResponse? {
    let freshness = Freshness(of: stored.response, for: self)
    return answer(from: stored, freshness, to: request, at: now)
  }

  func answer(
    from stored: StoredResponse, _ freshness: Freshness, to request: RequestHead,
    at now: TimeSource.Instant
  ) -> NetworkResponse? {
    var answer = stored.response
    let age = freshness.age(at: now).components.seconds
    answer.fields["Age"] = String(min(max(0, age), DeltaSeconds.greatest))
    if Conditions.isUnmodified(stored.response, for: request.fields) { return answer.notModified }
    guard let range = Self.range(of: request, for: stored.response) else {
      guard stored.isComplete else { return nil }
      if request.method == "HEAD" { answer.body = Data() }
      return answer
    }
    if let asked = stored.range?.asked, asked == request.fields["Range"] { return answer }
    if let selected = stored.stored(range) { return answer.part(selected, of: stored) }
    guard let length = stored.completeLength, range.positions(in: length) == nil else {
      return nil
    }
    return answer.unsatisfiable(length)
  }

  /// Returns the range that a GET request selects from a stored response with status 200 or 206.
  /// Returns `nil` if the request doesn't have exactly one valid range, or if its `If-Range`
  /// doesn't match the response.
  static func range(of request: RequestHead, for response: NetworkResponse) -> ByteRange? {
    guard request.method == "GET", response.status == 200 || response.status == 206,
      let range = ByteRange(request.fields), range != .several,
      Conditions.rangeApplies(response, for: request.fields)
    else { return nil }
    return range
  }
}

extension NetworkResponse {
  /// A 304 for this response, with the fields that RFC 9110, section 15.4.5, requires.
  fileprivate var notModified: NetworkResponse {
    let names = [
      "Age", "Cache-Control", "Content-Location", "Date", "ETag", "Expires", "Last-Modified",
      "Vary", "CDN-Cache-Control",
    ]
    var result = self
    (result.status, result.body, result.rest) = (304, Data(), nil)
    result.fields = HeaderFields(
      fields.filter { field in names.contains { HTTPSyntax.equal($0, field.name) } })
    return result
  }

  fileprivate func part(_ selected: Range<Int>, of stored: StoredResponse) -> NetworkResponse {
    var result = self
    (result.status, result.body) = (206, stored.bytes(selected))
    let total = stored.completeLength.map(String.init) ?? "*"
    result.fields["Content-Range"] =
      "bytes \(selected.lowerBound)-\(selected.upperBound - 1)/\(total)"
    result.fields["Content-Length"] = String(selected.count)
    return result
  }

  fileprivate func unsatisfiable(_ length: Int) -> NetworkResponse {
    var result = self
    (result.status, result.body) = (416, Data())
    result.fields["Content-Range"] = "bytes */\(length)"
    result.fields["Content-Length"] = "0"
    return result
  }
}
