/// The content codings that the level decodes.
enum BodyCoding: String {
  case gzip
  case deflate

  /// The codings of a body in the order of their application. Empty if any of them is unknown.
  ///
  /// A part of an encoded body (206) can't be decoded.
  static func known(of head: ResponseHead) -> [BodyCoding] {
    guard head.status != 206 else { return [] }
    var codings: [BodyCoding] = []
    for name in head.fields.elements(of: "Content-Encoding") {
      switch name.lowercased() {
      case "identity": continue
      case "gzip", "x-gzip": codings.append(.gzip)
      case "deflate": codings.append(.deflate)
      default: return []
      }
    }
    return codings
  }

  /// The value of `Accept-Encoding` for a request without that field.
  ///
  /// A part of an encoded body is useless, so a request for a range accepts no coding.
  static func accepted(by request: OutgoingRequest, canDecode: Bool) -> String {
    canDecode && !request.fields.contains("Range") ? "gzip, deflate" : "identity"
  }

  /// Refuses an encoded body if `URLSession` would accept a truncated one, as it does on Linux.
  static func checkThatTransportDecodes() throws(NetworkError.Reason) {
    if URLLoading.isCorelibs {
      throw .undecodableBody("URLSession on Linux doesn't check that an encoded body is complete")
    }
  }
}
