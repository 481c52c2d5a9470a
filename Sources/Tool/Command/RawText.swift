import Foundation

/// Arguments and file names as text, although the system allows any bytes in them.
///
/// A byte that isn't part of valid UTF-8 becomes a private character, from which the byte can be
/// restored. `CommandLine.arguments` would replace it with U+FFFD, so the file couldn't be found.
enum RawText {
  /// The arguments of the process, without the name of the tool.
  static var arguments: [String] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      CommandLine.unsafeArgv[index].map { text(UnsafeBufferPointer(start: $0, count: strlen($0))) }
    }
  }

  /// The private character of the byte zero.
  private static let base: UInt32 = 0x10_FF00

  static func text(_ bytes: some Collection<CChar>) -> String {
    let bytes = bytes.map { UInt8(bitPattern: $0) }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var (scalars, rest) = (String.UnicodeScalarView(), bytes[...])
    while let byte = rest.first {
      let length = (1...4).first { String(validating: rest.prefix($0), as: UTF8.self) != nil }
      if let length {
        scalars.append(
          contentsOf: String(decoding: rest.prefix(length), as: UTF8.self).unicodeScalars)
      } else if let scalar = Unicode.Scalar(base + UInt32(byte)) {
        scalars.append(scalar)
      }
      rest = rest.dropFirst(length ?? 1)
    }
    return String(scalars)
  }

  fileprivate static func byte(of scalar: Unicode.Scalar) -> UInt8? {
    scalar.value >= base + 0x80 ? UInt8(scalar.value - base) : nil
  }
}

extension String {
  /// The bytes for a system call, with a zero at the end.
  var rawBytes: [CChar] {
    unicodeScalars.flatMap { scalar in
      RawText.byte(of: scalar).map { [$0] } ?? Array(String(scalar).utf8)
    }.map { CChar(bitPattern: $0) } + [0]
  }

  /// Whether all bytes are valid UTF-8.
  var isUTF8: Bool { unicodeScalars.allSatisfy { RawText.byte(of: $0) == nil } }

  /// The text to print, with `\xE9` for the byte E9 outside UTF-8.
  var printable: String {
    guard !isUTF8 else { return self }
    return unicodeScalars.map { scalar in
      RawText.byte(of: scalar).map { "\\x" + String($0, radix: 16, uppercase: true) }
        ?? String(scalar)
    }.joined()
  }
}
