/// Parses the header lines of a response, from the first interim response to the trailers.
struct HeaderParser {
  /// The maximum total size of all header lines, in bytes. Longer headers are refused.
  static let maximumSize = 256 << 10

  /// The maximum number of header lines, including those of interim responses and trailers. This
  /// limits the work, because each field may be compared with all stored fields.
  static let maximumLines = 1000

  private var size = 0
  private var lines = 0
  private var status: Int?
  private var fields: [HeaderFields.Field] = []
  /// The last field. When the next line is folded, it adds text to this field.
  private var last: (name: String, value: String)?
  private var interim: [NetworkResponse.Interim] = []
  private var isComplete = false
  /// Whether the response uses HTTP/1.0 or HTTP/1.1.
  private(set) var isVersion1 = false

  /// Parses a line, which must include its line break. Returns the head of the response if this
  /// line completes it.
  ///
  /// Trailers are checked like header fields, and then dropped.
  mutating func receive(_ line: UnsafeRawBufferPointer) throws(NetworkError.Reason)
    -> ResponseHead?
  {
    size += line.count
    guard size <= Self.maximumSize else {
      throw .malformedResponse("its header has more than \(Self.maximumSize) bytes")
    }
    lines += 1
    guard lines <= Self.maximumLines else { throw Self.tooManyLines }
    var end = line.count
    if end > 0, line[end - 1] == 10 { end -= 1 }
    if end > 0, line[end - 1] == 13 { end -= 1 }
    let text = UnsafeRawBufferPointer(rebasing: line[..<end])
    for byte in text where byte == 0 || byte == 10 || byte == 13 {
      throw .malformedResponse("its header has a NUL or a line break within a line")
    }
    if text.isEmpty { return try complete() }
    guard status != nil || isComplete else {
      status = try Self.status(of: text)
      isVersion1 = text[5] == UInt8(ascii: "1")
      return nil
    }
    try append(text)
    return nil
  }

  /// Completes the header of an interim or final response (RFC 9110, section 15.2). Drops a header
  /// with status 100, because it concerns only the connection.
  private mutating func complete() throws(NetworkError.Reason) -> ResponseHead? {
    guard !isComplete, let status else { return nil }
    guard status != 101 else { throw .malformedResponse("it switches to another protocol") }
    endField()
    let fields = HeaderFields(fields)
    (self.status, self.fields, isComplete) = (nil, [], status >= 200)
    if isComplete { return ResponseHead(status: status, fields: fields, interim: interim) }
    if status != 100 { interim.append(.init(status: status, fields: fields)) }
    return nil
  }

  private mutating func append(_ line: UnsafeRawBufferPointer) throws(NetworkError.Reason) {
    if line[0] == 32 || line[0] == 9 {  // A folded line (RFC 9112, section 5.2).
      guard last != nil else {
        throw .malformedResponse("its header begins with a folded line")
      }
      last?.value += " \(HTTPSyntax.trimmed(RawText.text(line)))"
      return
    }
    var colon = 0
    while colon < line.count, HTTPSyntax.isTokenByte(line[colon]) { colon += 1 }
    guard colon > 0, colon < line.count, line[colon] == UInt8(ascii: ":") else {
      throw .malformedResponse("a line of its header has no valid name")
    }
    endField()
    let value = RawText.text(UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]))
    last = (
      RawText.text(UnsafeRawBufferPointer(rebasing: line[..<colon])), HTTPSyntax.trimmed(value)
    )
  }

  private mutating func endField() {
    if let last { fields.append(.init(name: last.name, value: last.value)) }
    last = nil
  }

  static let tooManyLines: NetworkError.Reason = .malformedResponse(
    "its header has more than \(maximumLines) lines")

  /// Returns the status in a line such as `HTTP/1.1 200 OK`. This function ignores the version,
  /// because the transport has already checked it.
  private static func status(of line: UnsafeRawBufferPointer) throws(NetworkError.Reason) -> Int {
    var (index, status, digits) = (5, 0, 0)
    let version = UnsafeRawBufferPointer(rebasing: line[..<min(5, line.count)])
    let isHTTP = line.count > index && RawText.text(version) == "HTTP/"
    while index < line.count, line[index] != 32 { index += 1 }
    while index < line.count, line[index] == 32 { index += 1 }
    while index < line.count, digits < 4, line[index] >= 48, line[index] <= 57 {
      (status, digits, index) = (status * 10 + Int(line[index] - 48), digits + 1, index + 1)
    }
    guard isHTTP, digits == 3, status >= 100, index == line.count || line[index] == 32 else {
      throw .malformedResponse("its first line isn't a status line")
    }
    return status
  }
}
