/// Keys in an order that no prefetcher guesses, the same in every run.
struct Keys<Key: Sendable>: Sendable {
  private let keys: [Key]
  private let mask: Int

  /// - Parameter count: How many there are; each of them comes about equally often.
  init(_ count: Int, _ key: (Int) -> Key) {
    // A power of two, so that the next one is found with a mask; the step is odd, and far.
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
