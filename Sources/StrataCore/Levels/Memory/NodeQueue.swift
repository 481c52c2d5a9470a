/// A first-in-first-out queue of nodes. Its links are stored in the nodes.
struct NodeQueue {
  private(set) var count = 0
  /// The ID of the oldest node. It has no meaning if the queue is empty.
  private(set) var head: UInt32 = 0
  private var tail: UInt32 = 0

  /// The ID of the oldest node, or `nil` if the queue is empty.
  @inline(__always)
  var first: UInt32? { count == 0 ? nil : head }

  @inline(__always)
  mutating func append(_ id: UInt32, in nodes: MemoryNodes) {
    if count == 0 {
      head = id
    } else {
      nodes[tail].pointee.next = id
      nodes[id].pointee.previous = tail
    }
    tail = id
    count &+= 1
  }

  /// Inserts a node as the oldest node.
  @inline(__always)
  mutating func prepend(_ id: UInt32, in nodes: MemoryNodes) {
    if count == 0 {
      tail = id
    } else {
      nodes[id].pointee.next = head
      nodes[head].pointee.previous = id
    }
    head = id
    count &+= 1
  }

  /// Removes the oldest node.
  ///
  /// - Precondition: The queue isn't empty.
  @inline(__always)
  mutating func removeFirst(in nodes: MemoryNodes) -> UInt32 {
    let first = head
    head = nodes[first].pointee.next  // It has no meaning if `first` was the only node.
    count &-= 1
    return first
  }

  mutating func remove(_ id: UInt32, in nodes: MemoryNodes) {
    let node = nodes[id]
    count -= 1
    guard count > 0 else { return }
    if id == head {
      head = node.pointee.next
    } else if id == tail {
      tail = node.pointee.previous
    } else {
      nodes[node.pointee.previous].pointee.next = node.pointee.next
      nodes[node.pointee.next].pointee.previous = node.pointee.previous
    }
  }
}
