/// A first-in-first-out queue of nodes, linked through them.
struct NodeQueue {
  private(set) var count = 0
  /// The oldest, if there is one.
  private(set) var head: UInt32 = 0
  private var tail: UInt32 = 0

  /// The oldest.
  @inline(__always)
  var first: UInt32? { count == 0 ? nil : head }

  @inline(__always)
  mutating func append(_ number: UInt32, in nodes: MemoryNodes) {
    if count == 0 {
      head = number
    } else {
      nodes[tail].pointee.next = number
      nodes[number].pointee.previous = tail
    }
    tail = number
    count &+= 1
  }

  /// Takes out the oldest, of one at least.
  @inline(__always)
  mutating func removeFirst(in nodes: MemoryNodes) -> UInt32 {
    let first = head
    head = nodes[first].pointee.next  // Means nothing after the last one.
    count &-= 1
    return first
  }

  mutating func remove(_ number: UInt32, in nodes: MemoryNodes) {
    let node = nodes[number]
    count -= 1
    guard count > 0 else { return }
    if number == head {
      head = node.pointee.next
    } else if number == tail {
      tail = node.pointee.previous
    } else {
      nodes[node.pointee.previous].pointee.next = node.pointee.next
      nodes[node.pointee.next].pointee.previous = node.pointee.previous
    }
  }
}
