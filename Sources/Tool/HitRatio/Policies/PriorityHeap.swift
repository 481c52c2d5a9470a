/// A binary heap of keys with priorities. Its first key has the highest priority.
struct PriorityHeap<Priority: Comparable> {
  private var items: [(priority: Priority, key: Int)] = []

  mutating func push(_ priority: Priority, _ key: Int) {
    items.append((priority, key))
    var index = items.count - 1
    while index > 0, case let parent = (index - 1) / 2,
      items[parent].priority < items[index].priority
    {
      items.swapAt(parent, index)
      index = parent
    }
  }

  mutating func pop() -> (priority: Priority, key: Int)? {
    guard let first = items.first, let last = items.popLast() else { return nil }
    if items.isEmpty { return first }
    items[0] = last
    var index = 0
    while true {
      var greatest = index
      for child in 2 * index + 1...2 * index + 2
      where child < items.count && items[child].priority > items[greatest].priority {
        greatest = child
      }
      if greatest == index { return first }
      items.swapAt(greatest, index)
      index = greatest
    }
  }
}
