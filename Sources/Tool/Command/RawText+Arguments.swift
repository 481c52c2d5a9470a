import Foundation
import Strata

extension RawText {
  /// The arguments of the process, without the name of the tool. `CommandLine.arguments` would
  /// replace a byte outside UTF-8 with U+FFFD, so the file couldn't be found.
  static var arguments: [String] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      CommandLine.unsafeArgv[index].map {
        text(UnsafeRawBufferPointer(start: $0, count: Int(strlen($0))))
      }
    }
  }
}

extension String {
  /// The bytes for a system call, with a zero at the end.
  var rawBytes: [CChar] { RawText.bytes(of: self).map { CChar(bitPattern: $0) } + [0] }

  /// Whether the text stands only for valid UTF-8.
  var isUTF8: Bool { unicodeScalars.allSatisfy { RawText.byte(of: $0) == nil } }

  /// The text to print, with an escape such as `\xE9` for each byte that isn't valid UTF-8.
  var printable: String {
    guard !isUTF8 else { return self }
    return unicodeScalars.map { scalar in
      RawText.byte(of: scalar).map { "\\x" + String($0, radix: 16, uppercase: true) }
        ?? String(scalar)
    }.joined()
  }
}
