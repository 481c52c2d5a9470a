import Foundation

/// Checks the nesting depth of a property list without decoding the list.
///
/// Foundation 6.3 on Linux decodes property lists recursively. On a stack of 512 KB, Foundation
/// crashes if 500 containers are nested, or if a binary container contains itself.
enum PropertyListDepth {
  struct TooDeep: Error, CustomStringConvertible {
    let description = "damaged, nested more than 128 deep, or XML with a NUL"
  }

  private static let deepest = 128

  @inline(never)
  static func check(_ data: Data) throws(TooDeep) {
    let isFine = data.withUnsafeBytes { bytes in
      guard bytes.has("bplist") else {
        return isFlat(xml: bytes) && isFlat(text: bytes)
      }
      return BinaryPropertyList(bytes).map { isFlat($0) } ?? false
    }
    if !isFine { throw TooDeep() }
  }

  /// Whether the nesting depth of an XML property list is within the limit. Ignores tags in
  /// comments.
  ///
  /// Returns `false` for data with a zero byte, such as UTF-16 or UTF-32 text, because this
  /// function can find tags only in UTF-8 text. Also returns `false` for XML with entities, because
  /// an entity can contain tags.
  private static func isFlat(xml bytes: UnsafeRawBufferPointer) -> Bool {
    var depth = 0
    var offset = 0
    while let start = bytes[offset...].firstIndex(of: UInt8(ascii: "<")) {
      if bytes.has("<!ENTITY", at: start) { return false }
      guard let end = end(ofTagAt: start, in: bytes) else { return false }
      depth += step(bytes[start..<end])
      guard depth <= deepest else { return false }
      offset = end
    }
    return !bytes.contains(0)
  }

  /// Returns the end of a tag, comment, CDATA section, or processing instruction, or `nil` if the
  /// end is missing.
  private static func end(ofTagAt start: Int, in bytes: UnsafeRawBufferPointer) -> Int? {
    for (opening, closing) in enclosures where bytes.has(opening, at: start) {
      for index in start + opening.utf8CodeUnitCount..<bytes.count
      where bytes.has(closing, at: index) {
        return index + closing.utf8CodeUnitCount
      }
      return nil
    }
    let isDoctype = bytes.has("<!", at: start)
    for index in start..<bytes.count {
      let isEnd = bytes[index] == UInt8(ascii: ">")
      if isEnd || isDoctype && bytes[index] == UInt8(ascii: "[") { return index + 1 }
    }
    return nil
  }

  private static let enclosures: [(opening: StaticString, closing: StaticString)] = [
    ("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"),
  ]

  /// Returns the change in depth that a tag causes. Self-closing tags end with `/>` and don't
  /// change the depth. But a tag with a quotation mark doesn't count as self-closing, because its
  /// `/>` can be part of an attribute's value.
  private static func step(_ tag: Slice<UnsafeRawBufferPointer>) -> Int {
    let letters = [UInt8(ascii: "a"), UInt8(ascii: "d")]
    let name = tag.dropFirst()
    guard let first = name.first else { return 0 }
    if first == UInt8(ascii: "/") { return letters.contains(name.dropFirst().first ?? 0) ? -1 : 0 }
    guard letters.contains(first) else { return 0 }
    let isQuoted = tag.contains(UInt8(ascii: "\"")) || tag.contains(UInt8(ascii: "'"))
    return !isQuoted && tag.dropLast().last == UInt8(ascii: "/") ? 0 : 1
  }

  /// Whether a property list in the old text format has at most 128 opening parentheses and braces.
  /// Such a list can't be nested deeper than 128 levels. For XML, this function returns `true`,
  /// because parentheses and braces don't cause nesting there. XML is text that begins with `<`,
  /// possibly after white space and a byte order mark. A `<` at another place doesn't mean XML,
  /// because a list in the old format can contain it, as in `(<00>)`.
  private static func isFlat(text bytes: UnsafeRawBufferPointer) -> Bool {
    let ignored: [UInt8] = [0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf]
    if bytes.first(where: { !ignored.contains($0) }) == UInt8(ascii: "<") { return true }
    let opening = bytes.lazy.filter { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "{") }
    return opening.count <= deepest
  }

  /// Whether the nesting depth of a binary property list is within the limit. Searches the list
  /// breadth-first.
  ///
  /// The search fails after 16 × *n* steps, where *n* is the size of the list in bytes. Honest data
  /// needs fewer steps, because *n* bytes contain at most *n* references between objects. But a
  /// container is decoded once for each container that refers to it. So a malicious list of a
  /// hundred bytes can contain billions of values.
  private static func isFlat(_ list: BinaryPropertyList) -> Bool {
    var level = [list.top: 1]  // How many times each object at this depth is decoded.
    var budget = 16 * list.size
    for _ in 0...deepest {
      var next: [Int: Int] = [:]
      for (object, times) in level {
        guard let children = list.children(of: object) else { return false }
        let (steps, isTooMuch) = times.multipliedReportingOverflow(by: 1 + children.count)
        guard !isTooMuch, steps <= budget else { return false }
        budget -= steps
        for child in children { next[child, default: 0] += times }
      }
      if next.isEmpty { return true }
      level = next
    }
    return false
  }
}

/// The objects of a binary property list, with their offsets and children.
private struct BinaryPropertyList {
  private let bytes: UnsafeRawBufferPointer
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private let table: Int
  let top: Int

  var size: Int { bytes.count }

  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count > 40 else { return nil }
    let trailer = bytes.count - 32
    self.bytes = bytes
    (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    guard 1...8 ~= offsetSize, 1...8 ~= referenceSize,
      let count = Self.integer(bytes, at: trailer + 8, size: 8),
      let top = Self.integer(bytes, at: trailer + 16, size: 8),
      let table = Self.integer(bytes, at: trailer + 24, size: 8),
      top < count, count <= (trailer - table) / offsetSize
    else { return nil }
    (self.count, self.top, self.table) = (count, top, table)
  }

  /// Returns the objects in a container, or `nil` if the data is damaged. Objects that aren't
  /// containers contain none.
  func children(of object: Int) -> [Int]? {
    guard object < count,
      let offset = Self.integer(bytes, at: table + object * offsetSize, size: offsetSize),
      offset < table
    else { return nil }
    let kind = bytes[offset] >> 4
    guard 0xA...0xD ~= kind else { return [] }
    var (length, start) = (Int(bytes[offset] & 0xF), offset + 1)
    if length == 0xF {
      guard bytes[start] >> 4 == 1, bytes[start] & 0xF <= 3 else { return nil }
      let size = 1 << Int(bytes[start] & 0xF)
      guard let long = Self.integer(bytes, at: start + 1, size: size) else { return nil }
      (length, start) = (long, start + 1 + size)
    }
    guard start <= table, length <= table else { return nil }
    let references = length * (kind == 0xD ? 2 : 1)
    guard references <= (table - start) / referenceSize else { return nil }
    return (0..<references).map { index in
      Self.integer(bytes, at: start + index * referenceSize, size: referenceSize) ?? count
    }
  }

  /// Returns a big-endian integer of up to eight bytes. Returns `nil` if its bytes are out of
  /// bounds, or if its value exceeds the size of the data.
  private static func integer(
    _ bytes: UnsafeRawBufferPointer, at offset: Int, size: Int
  ) -> Int? {
    guard offset >= 0, offset <= bytes.count - size else { return nil }
    let value = bytes[offset..<offset + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return value <= UInt64(bytes.count) ? Int(value) : nil
  }
}
