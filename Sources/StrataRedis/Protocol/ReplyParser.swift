import Foundation

/// Parses replies that arrive in pieces of any size, without recursion.
///
/// When the input isn't valid RESP, the parser fails. It allocates memory only for bytes that have
/// arrived, so a large length in a header doesn't cause a large allocation. Attributes of RESP3 are
/// dropped, because they contain only metadata about other values.
struct ReplyParser {
  /// The limits of one reply.
  struct Limits {
    /// The maximum nesting depth of arrays, maps, and other aggregates.
    var depth = 32
    /// The maximum size in bytes. Each element counts as 16 bytes more than its contents.
    var bytes = 1 << 30
    /// The maximum length of a line in bytes.
    var line = 64 << 10
  }

  struct Frame {
    let kind: UInt8
    let count: Int
    var elements: [RedisReply] = []
  }

  let limits: Limits
  var buffer: [UInt8] = []
  var position = 0
  /// The position at which to continue the search for the end of the current line.
  var searched = 0
  /// The type and the length of the byte string to read next, or `nil` if a line is next.
  var body: (kind: UInt8, count: Int)?
  var frames: [Frame] = []
  /// The number of elements of a split list that haven't been returned yet.
  var elements = 0
  private var size = 0

  init(limits: Limits = Limits()) { self.limits = limits }

  /// The size of the buffer.
  var bufferedBytes: Int { buffer.count }

  /// Adds the next piece.
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    if position > 0, position == buffer.count || position > 256 << 10 {
      buffer.removeSubrange(..<position)
      searched = max(0, searched - position)
      position = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// Returns the next reply, or `nil` if the reply hasn't arrived completely.
  ///
  /// - Throws: ``RedisError/protocolViolation(_:)``. The parser must not be used after an error.
  mutating func next() throws(RedisError) -> RedisReply? {
    while true {
      if let body {
        guard buffer.count - position >= body.count + 2 else { return nil }
        self.body = nil
        if let reply = complete(try bytes(body.kind, body.count)) { return reply }
        continue
      }
      guard let line = try line() else { return nil }
      if let value = try header(line), let reply = complete(value) { return reply }
    }
  }

  /// Returns the next line without its CR LF, or `nil` if the line hasn't arrived completely.
  mutating func line() throws(RedisError) -> Range<Int>? {
    var end = max(searched, position)
    let last = buffer.count - 1
    while end < last, buffer[end] != 13 { end += 1 }
    guard end - position <= limits.line else {
      throw .protocolViolation("a line is longer than \(limits.line) bytes")
    }
    searched = end
    guard end < last else { return nil }
    guard buffer[end + 1] == 10 else {
      throw .protocolViolation("a line doesn't end with CR LF")
    }
    defer { position = end + 2 }
    return position..<end
  }

  /// Parses a line, and returns its value. Returns `nil` if the line is only the header of a longer
  /// value, such as an array or a byte string.
  private mutating func header(_ line: Range<Int>) throws(RedisError) -> RedisReply? {
    guard let kind = line.first.map({ buffer[$0] }) else {
      throw .protocolViolation("a line is empty")
    }
    let text = line.dropFirst()
    try add(16 + text.count)
    switch kind {
    case UInt8(ascii: "+"):
      return isOK(text) ? RedisReply.ok : .text(Array(buffer[text]))
    case UInt8(ascii: "-"): return .failure(Array(buffer[text]))
    case UInt8(ascii: ":"): return .integer(try integer(text))
    case UInt8(ascii: "_") where text.isEmpty: return .null
    case UInt8(ascii: "#"): return .boolean(try boolean(text))
    case UInt8(ascii: ","): return .double(try double(text))
    case UInt8(ascii: "("): return .number(try digits(text))
    case UInt8(ascii: "$"), UInt8(ascii: "="), UInt8(ascii: "!"):
      return try openBody(kind, text)
    case UInt8(ascii: "*"), UInt8(ascii: "~"), UInt8(ascii: "%"), UInt8(ascii: "|"),
      UInt8(ascii: ">"):
      return try openFrame(kind, text)
    default: throw .protocolViolation("a reply of an unknown type begins with byte \(kind)")
    }
  }

  private mutating func openBody(
    _ kind: UInt8, _ text: Range<Int>
  ) throws(RedisError) -> RedisReply? {
    let count = try integer(text)
    if count == -1, kind == UInt8(ascii: "$") { return .null }
    guard count >= 0, count <= limits.bytes else {
      throw .protocolViolation("bytes have the length \(count)")
    }
    try add(Int(count))
    body = (kind, Int(count))
    return nil
  }

  private mutating func openFrame(
    _ kind: UInt8, _ text: Range<Int>
  ) throws(RedisError) -> RedisReply? {
    var count = try integer(text)
    if count == -1, kind == UInt8(ascii: "*") { return .null }
    if kind == UInt8(ascii: "%") || kind == UInt8(ascii: "|") {
      count = count.multipliedReportingOverflow(by: 2).partialValue
    }
    guard count >= 0, count <= limits.bytes / 16 else {
      throw .protocolViolation("an aggregate has the length \(count)")
    }
    guard frames.count < limits.depth else {
      throw .protocolViolation("aggregates are nested more than \(limits.depth) levels deep")
    }
    let frame = Frame(kind: kind, count: Int(count))
    if count == 0 { return Self.reply(of: frame) }
    frames.append(frame)
    return nil
  }

  /// Adds a value to the innermost open aggregate. Returns the reply if the value completes it.
  private mutating func complete(_ value: RedisReply) -> RedisReply? {
    var value = value
    while let last = frames.indices.last {
      frames[last].elements.append(value)
      guard frames[last].elements.count == frames[last].count else { return nil }
      guard let aggregate = Self.reply(of: frames.removeLast()) else { return nil }
      value = aggregate
    }
    size = 0
    return value
  }

  /// Returns a complete aggregate. Returns `nil` for attributes, which contain only metadata about
  /// the next value.
  private static func reply(of frame: Frame) -> RedisReply? {
    switch frame.kind {
    case UInt8(ascii: "%"): .map(frame.elements)
    case UInt8(ascii: ">"): .push(frame.elements)
    case UInt8(ascii: "|"): nil
    default: .list(frame.elements)
    }
  }

  private mutating func add(_ bytes: Int) throws(RedisError) {
    size += bytes
    guard size <= limits.bytes else {
      throw .protocolViolation("a reply is larger than \(limits.bytes) bytes")
    }
  }
}

extension ReplyParser /* : scalars */ {
  /// Reads a byte string that has arrived completely.
  private mutating func bytes(_ kind: UInt8, _ count: Int) throws(RedisError) -> RedisReply {
    let end = position + count
    guard buffer[end] == 13, buffer[end + 1] == 10 else {
      throw .protocolViolation("bytes don't end with CR LF")
    }
    defer { position = end + 2 }
    guard kind != UInt8(ascii: "!") else { return .failure(Array(buffer[position..<end])) }
    guard kind == UInt8(ascii: "=") else { return .bytes(data(position..<end)) }
    guard count >= 4, buffer[position + 3] == UInt8(ascii: ":") else {
      throw .protocolViolation("a verbatim string has no format")
    }
    return .bytes(data(position + 4..<end))
  }

  private func data(_ range: Range<Int>) -> Data {
    buffer.withUnsafeBytes { Data(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }

  func integer(_ text: Range<Int>) throws(RedisError) -> Int64 {
    var (value, isNegative) = (Int64(0), false)
    for index in text {
      let byte = buffer[index]
      if index == text.lowerBound, text.count > 1,
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
      {
        isNegative = byte == UInt8(ascii: "-")
        continue
      }
      let product = value.multipliedReportingOverflow(by: 10)
      let digit = Int64(byte) - 48
      let sum =
        isNegative
        ? product.partialValue.subtractingReportingOverflow(digit)
        : product.partialValue.addingReportingOverflow(digit)
      guard (0...9).contains(digit), !product.overflow, !sum.overflow else {
        throw .protocolViolation("a number isn't an integer of 64 bits")
      }
      value = sum.partialValue
    }
    guard !text.isEmpty else { throw .protocolViolation("a number is empty") }
    return value
  }

  private func boolean(_ text: Range<Int>) throws(RedisError) -> Bool {
    switch Array(buffer[text]) {
    case [UInt8(ascii: "t")]: return true
    case [UInt8(ascii: "f")]: return false
    default: throw .protocolViolation("a boolean is neither t nor f")
    }
  }

  private func double(_ text: Range<Int>) throws(RedisError) -> Double {
    let string = String(decoding: buffer[text], as: UTF8.self)
    let isPlain = buffer[text].allSatisfy {
      (48...57).contains($0) || [43, 45, 46, 69, 101].contains($0)
    }
    if isPlain || ["inf", "-inf", "nan", "-nan"].contains(string), let value = Double(string) {
      return value
    }
    throw .protocolViolation("a number isn't a double")
  }

  private func digits(_ text: Range<Int>) throws(RedisError) -> [UInt8] {
    let digits = buffer[text]
    let sign = digits.first == UInt8(ascii: "-") || digits.first == UInt8(ascii: "+") ? 1 : 0
    guard digits.count > sign, digits.dropFirst(sign).allSatisfy({ (48...57).contains($0) }) else {
      throw .protocolViolation("a big number has characters other than digits")
    }
    return Array(digits)
  }
}
