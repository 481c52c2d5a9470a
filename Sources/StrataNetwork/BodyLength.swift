/// The rules by which the header determines the end of a body (RFC 9112, section 6).
enum BodyLength {
  /// Returns the length of the undecoded body in bytes, or `nil` if the header has no
  /// `Content-Length`.
  ///
  /// - Throws: `conflictingLengths` if the values of the field differ or aren't numbers. But the
  ///   field may repeat the same number (RFC 9110, section 8.6).
  static func announced(by fields: HeaderFields) throws(NetworkError.Reason) -> Int? {
    guard let text = fields["Content-Length"] else { return nil }
    if let length = UInt64(digits: text).flatMap({ Int(exactly: $0) }) { return length }
    let values = HTTPSyntax.elements(text)
    var (commas, areEqual) = (0, true)
    for byte in text.utf8 where byte == UInt8(ascii: ",") { commas += 1 }
    for value in values where value != values[0] { areEqual = false }
    guard areEqual, values.count == commas + 1,
      let length = UInt64(digits: values[0]).flatMap({ Int(exactly: $0) })
    else {
      throw .conflictingLengths(text)
    }
    return length
  }

  /// Refuses all transfer codings except `chunked` and `identity`, because requests offer no other
  /// codings.
  static func checkTransferCoding(of fields: HeaderFields) throws(NetworkError.Reason) {
    guard fields.contains("Transfer-Encoding") else { return }
    let codings = fields.values(of: "Transfer-Encoding")
    let isKnown = codings.allSatisfy {
      HTTPSyntax.equal($0, "chunked") || HTTPSyntax.equal($0, "identity")
    }
    guard codings.count <= 1, isKnown else { throw unknownCoding }
  }

  /// Whether chunks determine the end of the body. The coding `identity` doesn't change the body, so
  /// it doesn't determine its end either.
  static func isChunked(_ fields: HeaderFields) -> Bool {
    for field in fields where HTTPSyntax.equal(field.value, "chunked") {
      if HTTPSyntax.equal(field.name, "Transfer-Encoding") { return true }
    }
    return false
  }

  static let unknownCoding: NetworkError.Reason = .malformedResponse(
    "its transfer coding is unknown")

  /// Refuses an HTTP/1 response over TLS whose body has neither a `Content-Length` nor
  /// chunks.
  ///
  /// Such a body ends when the connection ends. libcurl doesn't report whether the TLS session was
  /// closed properly, so an attacker could have truncated the body (RFC 9112, section 9.8).
  static func checkEnd(of head: ResponseHead, method: String) throws(NetworkError.Reason) {
    let hasBody = method != "HEAD" && head.status != 204 && head.status != 304
    guard hasBody, !head.fields.contains("Content-Length"), !isChunked(head.fields) else { return }
    throw .malformedResponse("its body has neither a length nor chunks, and TLS needs one of them")
  }
}
