/// A first-in, first-out queue in an array.
struct RedisQueue<Element> {
  private var elements: [Element?] = []
  private var head = 0

  var count: Int { elements.count - head }
  var isEmpty: Bool { count == 0 }
  var first: Element? { isEmpty ? nil : elements[head] }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func append(contentsOf others: some Sequence<Element>) {
    for element in others { elements.append(element) }
  }

  /// Inserts elements before the first one.
  mutating func prepend(_ others: [Element]) {
    elements.replaceSubrange(..<head, with: others.map { Optional($0) })
    head = 0
  }

  mutating func removeFirst() -> Element? {
    guard head < elements.count else { return nil }
    let element = elements[head].take()
    head += 1
    if head == elements.count || head > 1024 && head > elements.count / 2 {
      elements.removeSubrange(..<head)
      head = 0
    }
    return element
  }

  /// Removes and returns all elements, in order.
  mutating func removeAll() -> [Element] {
    defer { (elements, head) = ([], 0) }
    return elements[head...].compactMap { $0 }
  }

  /// The element at an offset from the first element.
  subscript(index: Int) -> Element? {
    get { elements[head + index] }
    set { elements[head + index] = newValue }
  }
}
