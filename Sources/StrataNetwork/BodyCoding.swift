/// The content codings that a network level can decode.
enum BodyCoding: String {
  case gzip
  case deflate

  /// Returns the codings of a body, in the order in which the origin applied them.
  ///
  /// The result is empty if any coding is unknown. It's also empty for status 206, because part of
  /// an encoded body can't be decoded on its own.
  static func known(of head: ResponseHead) -> [BodyCoding] {
    guard head.status != 206, head.fields.contains("Content-Encoding") else { return [] }
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

  /// Returns the `Accept-Encoding` value for a request that doesn't set this field.
  ///
  /// A range request accepts no content coding, because part of an encoded body can't be decoded on
  /// its own.
  static func accepted(by request: OutgoingRequest, canDecode: Bool) -> String {
    canDecode && !request.fields.contains("Range") ? "gzip, deflate" : "identity"
  }

  /// Throws an error on Linux, because `URLSession` on Linux accepts truncated encoded bodies.
  static func checkThatTransportDecodes() throws(NetworkError.Reason) {
    if URLLoading.isCorelibs {
      throw .undecodableBody("URLSession on Linux doesn't check that an encoded body is complete")
    }
  }
}
