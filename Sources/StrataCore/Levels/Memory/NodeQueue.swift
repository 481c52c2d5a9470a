/// A first-in-first-out queue of nodes. Its links are stored in the nodes.
///
/// The address of a node takes some time to compute from its ID. So callers that know the address
/// pass it.
struct NodeQueue {
  typealias Node = UnsafeMutablePointer<MemoryNode>

  private(set) var count = 0
  /// The ID of the oldest node. It has no meaning if the queue is empty.
  private(set) var head: UInt32 = 0
  private var tail: UInt32 = 0

  /// The ID of the oldest node, or `nil` if the queue is empty.
  @inline(__always)
  var first: UInt32? { count == 0 ? nil : head }

  @inline(__always)
  mutating func append(_ id: UInt32, _ node: Node, in nodes: MemoryNodes) {
    if count == 0 {
      head = id
    } else {
      nodes[tail].pointee.next = id
      node.pointee.previous = tail
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
      connect(id, head, in: nodes)
    }
    head = id
    count &+= 1
  }

  /// Removes the oldest node, and returns its ID.
  ///
  /// - Parameter node: The oldest node, so the queue isn't empty.
  @discardableResult
  @inline(__always)
  mutating func removeFirst(_ node: Node) -> UInt32 {
    let first = head
    head = node.pointee.next  // It has no meaning if `node` was the only node.
    count &-= 1
    return first
  }

  /// Removes one of the nodes from the oldest one up to `last`, and moves the others to the end of
  /// the queue. This changes the same few links for any number of nodes.
  ///
  /// - Parameters:
  ///   - chosen: The ID of the node to remove, and `node` is its address.
  ///   - last: A node other than the oldest one.
  @inline(__always)
  mutating func remove(
    _ chosen: UInt32, _ node: Node, movingUpTo last: UInt32, in nodes: MemoryNodes
  ) {
    count &-= 1
    let after = nodes[last].pointee.next  // It has no meaning if `last` is the newest node.
    var (first, end) = (head, last)
    if chosen == first {
      first = node.pointee.next
    } else if chosen == last {
      end = node.pointee.previous
    } else {
      connect(node.pointee.previous, node.pointee.next, in: nodes)
    }
    if last == tail {
      head = first
    } else {
      connect(tail, first, in: nodes)
      head = after
    }
    tail = end
  }

  @inline(__always)
  private func connect(_ older: UInt32, _ newer: UInt32, in nodes: MemoryNodes) {
    nodes[older].pointee.next = newer
    nodes[newer].pointee.previous = older
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
