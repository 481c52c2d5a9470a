/// Keys in a repeatable order that prevents hardware prefetching.
struct Keys<Key: Sendable>: Sendable {
  private let keys: [Key]
  private let mask: Int

  /// - Parameter count: The number of keys. All keys are about equally frequent.
  init(_ count: Int, _ key: (Int) -> Key) {
    // The size is a power of two, so a mask finds the next key. The step between numbers is odd and
    // large.
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
