import Foundation

/// Builds a response from its status, header, and body, and refuses an incomplete one.
struct ResponseReader {
  private let isHead: Bool
  private let maximumSize: Int
  private let arrivesDecoded: Bool
  private let decodes: Bool
  private(set) var head: ResponseHead?
  /// The length of the undecoded body, or `nil` if the header doesn't state it.
  private(set) var announced: Int?
  /// Whether a body follows the header.
  private(set) var hasBody = false
  private(set) var received = 0
  private var isChunked = false
  private var decoder: BodyDecoder?
  private var body = Data()

  init(method: String, maximumSize: Int, arrivesDecoded: Bool, decodes: Bool = true) {
    isHead = method == "HEAD"
    self.maximumSize = maximumSize
    self.arrivesDecoded = arrivesDecoded
    self.decodes = decodes || arrivesDecoded
  }

  /// Receives the status and the header, and checks the announced length and the codings of the
  /// body.
  mutating func begin(_ head: ResponseHead) throws(NetworkError.Reason) {
    self.head = head
    guard head.fields.count <= HeaderParser.maximumLines else { throw HeaderParser.tooManyLines }
    announced = try BodyLength.announced(by: head.fields)
    try BodyLength.checkTransferCoding(of: head.fields)
    isChunked = BodyLength.isChunked(head.fields)
    // Chunks override a length, and a repeated length is one length (RFC 9112, section 6.3). So a
    // proxy that forwards the header never sends a wrong length.
    let length = isChunked ? nil : announced.map { String($0) }
    if head.fields["Content-Length"] != length { self.head?.fields["Content-Length"] = length }
    let codings = decodes ? BodyCoding.known(of: head) : []
    hasBody = !isHead && head.status != 204 && head.status != 304
    if !codings.isEmpty {
      self.head?.fields.remove("Content-Encoding")
      self.head?.fields.remove("Content-Length")
    }
    guard hasBody else { return announced = nil }
    if codings.isEmpty || !arrivesDecoded {
      try checkAnnouncement(maximum: codings.isEmpty ? maximumSize : encodedMaximum)
    }
    guard !codings.isEmpty else { return }
    if arrivesDecoded {
      announced = nil
      try BodyCoding.checkThatTransportDecodes()
    } else {
      decoder = try BodyDecoder(codings, maximumIntermediate: encodedMaximum)
    }
  }

  /// Receives the next bytes of the body.
  mutating func append(_ piece: UnsafeRawBufferPointer) throws(NetworkError.Reason) {
    received += piece.count
    if let announced, received > announced {
      throw .incompleteBody(received: received, announced: announced)
    }
    guard let decoder else { return try store(piece) }
    guard received <= encodedMaximum else { throw .tooLarge(maximum: maximumSize) }
    try decoder.write(piece) { (piece) throws(NetworkError.Reason) in try store(piece) }
  }

  /// Returns the complete body, or throws if it's incomplete.
  mutating func finish() throws(NetworkError.Reason) -> Data {
    if let announced, announced != received {
      throw .incompleteBody(received: received, announced: announced)
    }
    if received > 0 || !endIsCertain { try decoder?.finish() }
    return body
  }

  /// The number of bytes of the decoded body that are in the reader.
  var size: Int { body.count }

  /// Returns the bytes of the decoded body so far, and removes them from the reader.
  mutating func takeBody() -> Data {
    defer { body = Data() }
    return body
  }

  private mutating func store(_ piece: UnsafeRawBufferPointer) throws(NetworkError.Reason) {
    guard piece.count <= maximumSize - body.count else { throw .tooLarge(maximum: maximumSize) }
    body.append(contentsOf: piece)
  }

  private mutating func checkAnnouncement(maximum: Int) throws(NetworkError.Reason) {
    guard let announced else { return }
    guard announced <= maximum else { throw .tooLarge(maximum: maximumSize) }
    // Reserves at most 1 MiB, because an origin may announce more bytes than it sends.
    if announced > 0 { body.reserveCapacity(min(announced, 1 << 20)) }
  }

  /// Whether the header defines the end of the body, with a length or with chunks. Then an empty body
  /// is valid even if the response has a `Content-Encoding`.
  private var endIsCertain: Bool { announced != nil || isChunked }

  /// The maximum length of an encoded body. Encodings can make incompressible data longer, but only
  /// by 1/64 of its length and the size of a header.
  private var encodedMaximum: Int {
    let (sum, isTooMuch) = maximumSize.addingReportingOverflow(maximumSize >> 6 + 1024)
    return isTooMuch ? .max : sum
  }
}
