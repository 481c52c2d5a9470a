/// The optimal policy (Belady, 1966), which evicts the key whose next request is furthest away.
///
/// If the next request of a new key is furthest away, the policy doesn't store the new key.
struct Optimum: ReplacementPolicy {
  private let capacity: Int
  /// For each request, the time of the next request for its key.
  private let next: [Int]
  private var time = 0
  private var due: [Int]  // The time of each cached key's next request, or -1.
  private var agenda = Agenda()
  private var count = 0

  init(capacity: Int, for trace: RequestTrace) {
    self.capacity = capacity
    var last = Array(repeating: Int.max, count: trace.keys.count)
    var next = trace.requests
    for time in trace.requests.indices.reversed() {
      let key = trace.requests[time]
      (next[time], last[key]) = (last[key], time)
    }
    self.next = next
    due = Array(repeating: -1, count: trace.keys.count)
  }

  mutating func access(_ key: Int) -> Bool {
    defer { time += 1 }
    let isHit = due[key] >= 0
    if !isHit {
      count += 1
    }
    due[key] = next[time]
    agenda.push((next[time], key))
    if count > capacity { evict() }
    return isHit
  }

  // Evicts the key whose next request is furthest away. The agenda contains an item for each
  // request of a key. Only a key's newest item counts, so older items are skipped.
  private mutating func evict() {
    while let (time, key) = agenda.pop() {
      guard due[key] == time else { continue }
      due[key] = -1
      count -= 1
      return
    }
  }
}

/// A priority queue of keys. The key whose next request is furthest away comes first.
private struct Agenda {
  private var items: [(time: Int, key: Int)] = []

  mutating func push(_ item: (Int, Int)) {
    items.append(item)
    var index = items.count - 1
    while index > 0, case let parent = (index - 1) / 2, items[parent].time < items[index].time {
      items.swapAt(parent, index)
      index = parent
    }
  }

  mutating func pop() -> (Int, Int)? {
    guard let first = items.first, let last = items.popLast() else { return nil }
    if items.isEmpty { return first }
    items[0] = last
    var index = 0
    while true {
      var greatest = index
      for child in 2 * index + 1...2 * index + 2
      where child < items.count && items[child].time > items[greatest].time {
        greatest = child
      }
      if greatest == index { return first }
      items.swapAt(greatest, index)
      index = greatest
    }
  }
}
