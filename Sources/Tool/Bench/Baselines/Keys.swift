/// Keys in a repeatable order that defeats the processor's prefetcher.
struct Keys<Key: Sendable>: Sendable {
  private let keys: [Key]
  private let mask: Int

  /// - Parameter count: The number of keys. All keys occur about equally often.
  init(_ count: Int, _ key: (Int) -> Key) {
    // Because the size is a power of two, a mask can wrap the index. The step between successive
    // numbers is large and odd, so these numbers are far apart and don't repeat.
    var size = 1
    while size < count { size *= 2 }
    let numbers = (0..<size).map { ($0 &* 0x9E37_79B1) & (size - 1) }
    keys = numbers.map { key($0 % max(1, count)) }
    mask = size - 1
  }

  @inline(__always)
  subscript(index: Int) -> Key { keys[index & mask] }

  var all: [Key] { keys }
}
