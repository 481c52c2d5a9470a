/// Converts bytes to text and back even if they aren't valid UTF-8, for header fields, arguments,
/// and file names.
///
/// Text and bytes are two forms of the same value: `bytes(of: text(bytes)) == bytes` for all bytes.
/// Bytes that aren't part of valid UTF-8 become scalars of the last private-use block. So a field
/// keeps its bytes while it's copied, stored, and sent back. If the bytes already contain such a
/// scalar in UTF-8, they count as invalid bytes. Otherwise, two different values could have the
/// same text.
package enum RawText {
  /// The value of the scalar that would stand for the byte zero. Only bytes from 0x80 are replaced,
  /// so the scalars in use are U+10FF80 to U+10FFFF.
  private static let firstEscape: UInt32 = 0x10_ff00

  /// Decodes the bytes of a field, or of any other text that the system or a peer provides.
  ///
  /// - Law: `bytes(of: text(bytes)) == bytes`. See `RawTextTests`.
  package static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    if isASCII(bytes) { return String(decoding: bytes, as: UTF8.self) }
    if let text = String(validating: bytes, as: UTF8.self), !mayHaveEscapes(text) { return text }
    var (text, parser) = (String.UnicodeScalarView(), Unicode.UTF8.ForwardParser())
    var (rest, index) = (bytes.makeIterator(), 0)
    while index < bytes.count {
      var (count, scalar): (Int, Unicode.Scalar?) = (1, nil)
      switch parser.parseScalar(from: &rest) {
      case .valid(let encoded): (count, scalar) = (encoded.count, Unicode.UTF8.decode(encoded))
      case .error(let length): count = length
      case .emptyInput: count = bytes.count - index
      }
      if let scalar, byte(of: scalar) == nil {
        text.append(scalar)
      } else {
        for byte in bytes[index..<index + count] { text.append(escape(byte)) }
      }
      index += count
    }
    return String(text)
  }

  /// Whether no byte is greater than 127. Header fields rarely have others, and checking UTF-8 takes
  /// ten times as long.
  private static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var union: UInt8 = 0
    for byte in bytes { union |= byte }
    return union < 128
  }

  /// Returns the bytes of a text, as the inverse of ``text(_:)``. Text without escaped bytes is
  /// encoded as UTF-8.
  package static func bytes(of text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    append(text, to: &bytes)
    return bytes
  }

  /// Appends the bytes of a text. See ``bytes(of:)``.
  package static func append(_ text: String, to bytes: inout [UInt8]) {
    guard mayHaveEscapes(text) else { return bytes.append(contentsOf: text.utf8) }
    for scalar in text.unicodeScalars {
      if let byte = byte(of: scalar) {
        bytes.append(byte)
      } else {
        bytes.append(contentsOf: UTF8.encode(scalar)!)
      }
    }
  }

  /// Returns the text in a readable form. Bytes that aren't UTF-8 are decoded as Latin-1, which
  /// early versions of HTTP used.
  package static func readable(_ text: String) -> String {
    guard mayHaveEscapes(text) else { return text }
    var readable = ""
    for scalar in text.unicodeScalars {
      readable.unicodeScalars.append(byte(of: scalar).map { Unicode.Scalar($0) } ?? scalar)
    }
    return readable
  }

  /// Whether a text may have escaped bytes. Only scalars from U+100000 begin with the byte 0xF4.
  package static func mayHaveEscapes(_ text: String) -> Bool {
    for byte in text.utf8 where byte == 0xf4 { return true }
    return false
  }

  /// Returns the byte for which a scalar stands, or `nil` if the scalar stands for itself.
  package static func byte(of scalar: Unicode.Scalar) -> UInt8? {
    scalar.value >= firstEscape + 0x80 ? UInt8(truncatingIfNeeded: scalar.value) : nil
  }

  private static func escape(_ byte: UInt8) -> Unicode.Scalar {
    byte < 0x80 ? Unicode.Scalar(byte) : Unicode.Scalar(firstEscape + UInt32(byte))!
  }
}
