import Foundation

/// How deep the containers of a property list are nested, told without reading it.
///
/// Foundation (6.3, Linux) recurses: in a stack of 512 KB it ends the process at 500 containers
/// within each other, and wherever a binary one contains itself.
enum PropertyListDepth {
  struct TooDeep: Error, CustomStringConvertible {
    let description = "damaged, nested more than 128 deep, or XML with a NUL"
  }

  private static let deepest = 128

  static func check(_ data: Data) throws(TooDeep) {
    let isFine = data.withUnsafeBytes { bytes in
      guard bytes.starts(with: Data("bplist".utf8)) else {
        return isFlat(xml: bytes) && isFlat(text: bytes)
      }
      return BinaryPropertyList(bytes).map { isFlat($0) } ?? false
    }
    if !isFine { throw TooDeep() }
  }

  /// What opens an array or dictionary, less what closes one, outside of comments and the like.
  ///
  /// With more bytes than one a character the tags would not be found: a zero is refused. So are
  /// entities, which may hold tags.
  private static func isFlat(xml bytes: UnsafeRawBufferPointer) -> Bool {
    var depth = 0
    var place = 0
    while let start = bytes[place...].firstIndex(of: UInt8(ascii: "<")) {
      let rest = bytes[start...]
      if rest.starts(with: "<!ENTITY".utf8) { return false }
      guard let end = end(ofTag: rest) else { return false }
      depth += step(bytes[start..<end])
      guard depth <= deepest else { return false }
      place = end
    }
    return !bytes.contains(0)
  }

  /// Where a tag, a comment or a piece of plain text ends; `nil` if it does not.
  private static func end(ofTag rest: Slice<UnsafeRawBufferPointer>) -> Int? {
    for (opening, closing) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")]
    where rest.starts(with: opening.utf8) {
      let closing = Array(closing.utf8)
      let inside = rest.dropFirst(opening.utf8.count)
      let end = inside.indices.first { inside[$0...].starts(with: closing) }
      return end.map { $0 + closing.count }
    }
    let isDoctype = rest.starts(with: "<!".utf8)
    let ends = isDoctype ? [UInt8(ascii: ">"), UInt8(ascii: "[")] : [UInt8(ascii: ">")]
    return rest.firstIndex { ends.contains($0) }.map { $0 + 1 }
  }

  /// How much deeper it is after a tag; one with a quote may not end where it seems to.
  private static func step(_ tag: Slice<UnsafeRawBufferPointer>) -> Int {
    let letters = [UInt8(ascii: "a"), UInt8(ascii: "d")]
    let name = tag.dropFirst()
    guard let first = name.first else { return 0 }
    if first == UInt8(ascii: "/") { return letters.contains(name.dropFirst().first ?? 0) ? -1 : 0 }
    guard letters.contains(first) else { return 0 }
    let isQuoted = tag.contains(UInt8(ascii: "\"")) || tag.contains(UInt8(ascii: "'"))
    return !isQuoted && tag.dropLast().last == UInt8(ascii: "/") ? 0 : 1
  }

  /// The same for the text format of old, whose brackets mean nothing in XML.
  private static func isFlat(text bytes: UnsafeRawBufferPointer) -> Bool {
    if bytes.prefix(200).contains(UInt8(ascii: "<")) { return true }
    let opening = bytes.lazy.filter { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "{") }
    return opening.count <= deepest
  }

  /// The containers of each depth, one depth after another; each reference takes a byte at least,
  /// so one that has many more than bytes is made to keep its reader busy.
  private static func isFlat(_ list: BinaryPropertyList) -> Bool {
    var level: Set<Int> = [list.top]
    var budget = 16 * list.size
    for _ in 0...deepest {
      var next: Set<Int> = []
      for object in level {
        guard budget >= 0, let children = list.children(of: object) else { return false }
        budget -= 1 + children.count
        next.formUnion(children)
      }
      if next.isEmpty { return true }
      level = next
    }
    return false
  }
}

/// Where the objects of a binary property list are, and which of them contain which.
private struct BinaryPropertyList {
  private let bytes: UnsafeRawBufferPointer
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private let table: Int
  let top: Int

  var size: Int { bytes.count }

  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 40 else { return nil }
    let trailer = bytes.count - 32
    self.bytes = bytes
    (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    guard 1...8 ~= offsetSize, 1...8 ~= referenceSize,
      let count = Self.integer(bytes, at: trailer + 8, size: 8),
      let top = Self.integer(bytes, at: trailer + 16, size: 8),
      let table = Self.integer(bytes, at: trailer + 24, size: 8),
      top < count, table <= trailer, count <= (trailer - table) / offsetSize
    else { return nil }
    (self.count, self.top, self.table) = (count, top, table)
  }

  /// The objects that an object contains, none if it is no container; `nil` if it is damaged.
  func children(of object: Int) -> [Int]? {
    guard object < count,
      let offset = Self.integer(bytes, at: table + object * offsetSize, size: offsetSize),
      offset < table
    else { return nil }
    let kind = bytes[offset] >> 4
    guard 0xA...0xD ~= kind else { return [] }
    var (length, start) = (Int(bytes[offset] & 0xF), offset + 1)
    if length == 0xF {
      guard start < table, bytes[start] >> 4 == 1, bytes[start] & 0xF <= 3 else { return nil }
      let size = 1 << Int(bytes[start] & 0xF)
      guard let long = Self.integer(bytes, at: start + 1, size: size) else { return nil }
      (length, start) = (long, start + 1 + size)
    }
    guard start <= table, length <= table else { return nil }
    let references = length * (kind == 0xD ? 2 : 1)
    guard references <= (table - start) / referenceSize else { return nil }
    return (0..<references).map { place in
      Self.integer(bytes, at: start + place * referenceSize, size: referenceSize) ?? count
    }
  }

  /// An integer of up to eight bytes, big-endian, if it lies within the data and is no more than
  /// it.
  private static func integer(
    _ bytes: UnsafeRawBufferPointer, at place: Int, size: Int
  ) -> Int? {
    guard place >= 0, size <= bytes.count, place <= bytes.count - size else { return nil }
    let value = bytes[place..<place + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return value <= UInt64(bytes.count) ? Int(value) : nil
  }
}
