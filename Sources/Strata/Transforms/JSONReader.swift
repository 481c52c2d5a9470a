/// Reads JSON with a stack of its own, so that nesting costs none of the thread's.
struct JSONReader {
  /// An array or object that is being read, added to in place.
  private struct Open {
    var values: [JSONValue] = []
    var names: [String]?

    var whole: JSONValue {
      guard let names else { return .array(values) }
      return .object(Dictionary(zip(names, values)) { $1 })
    }
  }

  private let bytes: UnsafeRawBufferPointer
  private var place = 0
  private var open: [Open] = []

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
  }

  /// What is wrong, where, and what stands there.
  func description(of fault: JSONFault) -> String {
    let rest = UnsafeRawBufferPointer(rebasing: bytes[min(place, bytes.count)...].prefix(100))
    let text = rest.isEmpty ? "the end" : "\"\(String(decoding: rest, as: UTF8.self))\""
    return bounded("\(fault.rawValue) at byte \(place) of \(bytes.count): \(text)")
  }

  /// Reads the one value that there is.
  mutating func read() throws(JSONFault) -> JSONValue {
    while true {
      guard let value = try begin() else { continue }
      guard let whole = try close(value) else { continue }
      skipSpace()
      guard place == bytes.count else { throw .trailing }
      return whole
    }
  }

  /// Reads a value, or opens an array or object and returns `nil`.
  private mutating func begin() throws(JSONFault) -> JSONValue? {
    switch try next() {
    case UInt8(ascii: "["):
      guard try bracket() != UInt8(ascii: "]") else { return empty(.array([])) }
      return opened(Open())
    case UInt8(ascii: "{"):
      guard try bracket() != UInt8(ascii: "}") else { return empty(.object([:])) }
      return opened(Open(names: [try name()]))
    case UInt8(ascii: "\""): return .string(try text())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func empty(_ value: JSONValue) -> JSONValue {
    place += 1
    return value
  }

  private mutating func opened(_ container: Open) -> JSONValue? {
    open.append(container)
    return nil
  }

  /// Takes a bracket that opens; an empty container counts as one too.
  private mutating func bracket() throws(JSONFault) -> UInt8 {
    guard open.count < 512 else { throw .tooDeep }
    place += 1
    return try next()
  }

  /// Puts a value where it belongs; returns the whole if nothing is open any more.
  private mutating func close(_ value: JSONValue) throws(JSONFault) -> JSONValue? {
    var value = value
    while let last = open.indices.last {
      open[last].values.append(value)
      let isObject = open[last].names != nil
      guard try next() == UInt8(ascii: isObject ? "}" : "]") else {
        try expect(",")
        if isObject {
          let name = try name()
          open[last].names?.append(name)
        }
        return nil
      }
      place += 1
      value = open.removeLast().whole
    }
    return value
  }

  private mutating func name() throws(JSONFault) -> String {
    guard try next() == UInt8(ascii: "\"") else { throw .unexpected }
    let name = try text()
    _ = try next()
    try expect(":")
    return name
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(JSONFault) {
    guard place < bytes.count else { throw .unfinished }
    guard bytes[place] == UInt8(ascii: character) else { throw .unexpected }
    place += 1
  }

  private mutating func word(
    _ word: StaticString, _ value: JSONValue
  ) throws(JSONFault) -> JSONValue {
    let letters = UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard bytes[place...].starts(with: letters) else { throw .unexpected }
    place += letters.count
    return value
  }

  private mutating func skipSpace() {
    while place < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[place]) { place += 1 }
  }

  /// The next byte that is not space, which is not taken.
  private mutating func next() throws(JSONFault) -> UInt8 {
    skipSpace()
    guard place < bytes.count else { throw .unfinished }
    return bytes[place]
  }

  private func isDigit(at place: Int) -> Bool {
    place < bytes.count && UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[place]
  }

  private func has(_ characters: StaticString) -> Bool {
    guard place < bytes.count else { return false }
    return (0..<characters.utf8CodeUnitCount).contains {
      characters.utf8Start[$0] == bytes[place]
    }
  }
}

extension JSONReader {
  /// `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`
  private mutating func number() throws(JSONFault) -> JSONValue {
    let start = place
    if has("-") { place += 1 }
    if has("0") { place += 1 } else { try digits() }
    var isInteger = true
    if has(".") {
      (isInteger, place) = (false, place + 1)
      try digits()
    }
    if has("eE") {
      (isInteger, place) = (false, place + 1)
      if has("+-") { place += 1 }
      try digits()
    }
    let text = String(decoding: bytes[start..<place], as: UTF8.self)
    if isInteger, text != "-0", let value = Int(text) { return .integer(value) }
    guard let value = Double(text), value.isFinite else { throw .outOfRange }
    return .number(value)
  }

  private mutating func digits() throws(JSONFault) {
    guard isDigit(at: place) else { throw place < bytes.count ? .unexpected : .unfinished }
    while isDigit(at: place) { place += 1 }
  }

  /// Reads a text from its quotation mark to the next one.
  private mutating func text() throws(JSONFault) -> String {
    place += 1
    var start = place
    var text: [UInt8] = []
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""):
        text += bytes[start..<place]
        guard let valid = String(validating: text, as: UTF8.self) else { throw .notText }
        place += 1
        return valid
      case UInt8(ascii: "\\"):
        text += bytes[start..<place]
        place += 1
        text += String(try escaped()).utf8
        start = place
      case 0..<0x20: throw .unexpected
      default: place += 1
      }
    }
    throw .unfinished
  }

  /// Reads what follows a backslash.
  private mutating func escaped() throws(JSONFault) -> Unicode.Scalar {
    guard place < bytes.count else { throw .unfinished }
    place += 1
    switch bytes[place - 1] {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try scalar()
    case let byte where [0x22, 0x2F, 0x5C].contains(byte): return Unicode.Scalar(byte)
    default: throw .unexpected
    }
  }

  /// Reads four digits, or two halves of a surrogate pair.
  private mutating func scalar() throws(JSONFault) -> Unicode.Scalar {
    let first = try unit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00 else { throw .notText }
    try expect("\\")
    try expect("u")
    let second = try unit()
    guard 0xDC00...0xDFFF ~= second,
      let scalar = Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + second & 0x3FF)
    else { throw .notText }
    return scalar
  }

  private mutating func unit() throws(JSONFault) -> UInt32 {
    guard place + 4 <= bytes.count else { throw .unfinished }
    let digits = bytes[place..<place + 4]
    let isHexadecimal = digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    guard isHexadecimal, let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw .unexpected }
    place += 4
    return unit
  }
}
