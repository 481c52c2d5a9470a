/// Keys in a repeatable order that the processor can't prefetch.
struct Keys<Key: Sendable>: Sendable {
  private let keys: [Key]
  private let mask: Int

  /// - Parameter count: The number of keys. All keys are about equally frequent.
  init(_ count: Int, _ key: (Int) -> Key) {
    // The size is a power of two, so a mask can wrap the index. The step between numbers is odd and
    // large, so successive numbers differ and are far apart.
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
