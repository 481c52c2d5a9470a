/// Writes JSON with a stack of its own, so that nesting costs none of the thread's.
struct JSONWriter {
  private enum Open {
    case array(ArraySlice<JSONValue>)
    case object(ArraySlice<(name: String, value: JSONValue)>)
  }

  private(set) var bytes: [UInt8] = []
  private var open: [Open] = []

  /// Writes one value, with everything in it.
  mutating func write(_ value: JSONValue) throws(JSONFault) {
    try begin(value)
    while let container = open.popLast() {
      switch container {
      case .array(var rest):
        guard let value = rest.popFirst() else {
          end("]")
          continue
        }
        separate(from: "[")
        open.append(.array(rest))
        try begin(value)
      case .object(var rest):
        guard let (name, value) = rest.popFirst() else {
          end("}")
          continue
        }
        separate(from: "{")
        text(name)
        bytes.append(UInt8(ascii: ":"))
        open.append(.object(rest))
        try begin(value)
      }
    }
  }

  private mutating func begin(_ value: JSONValue) throws(JSONFault) {
    switch value {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += "\(value)".utf8
    case .integer(let value): bytes += "\(value)".utf8
    case .number(let value):
      guard value.isFinite else { throw .notANumber }
      bytes += "\(value)".utf8
    case .string(let value): text(value)
    case .array(let values): try opened(.array(values[...]), "[")
    case .object(let values):
      let sorted = values.map { (name: $0.key, value: $0.value) }.sorted { one, other in
        one.name.unicodeScalars.lexicographicallyPrecedes(other.name.unicodeScalars)
      }
      try opened(.object(sorted[...]), "{")
    }
  }

  private mutating func opened(
    _ container: Open, _ bracket: Unicode.Scalar
  ) throws(JSONFault) {
    guard open.count < 512 else { throw .tooDeep }
    bytes.append(UInt8(ascii: bracket))
    open.append(container)
  }

  private mutating func end(_ bracket: Unicode.Scalar) { bytes.append(UInt8(ascii: bracket)) }

  private mutating func separate(from bracket: Unicode.Scalar) {
    if bytes.last != UInt8(ascii: bracket) { bytes.append(UInt8(ascii: ",")) }
  }

  private mutating func text(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case 0x22, 0x5C: bytes += [0x5C, byte]
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        bytes += (byte < 16 ? "\\u000" : "\\u00").utf8
        bytes += digits.utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
