/// The optimal policy (Belady, 1966), which evicts the key whose next request is furthest in the
/// future.
///
/// When the next request of a new key is the furthest in the future, the key isn't stored.
struct Optimum: ReplacementPolicy {
  private let capacity: Int
  /// For each request, the index of the next request for the same key.
  private let next: [Int]
  private var time = 0
  /// For each key, the index of the next request, or -1 if the key isn't cached.
  private var due: [Int]
  private var agenda = PriorityHeap<Int>()
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
    agenda.push(next[time], key)
    if count > capacity { evict() }
    return isHit
  }

  // Evicts the key whose next request is furthest in the future. To find it, every request adds an
  // entry to `agenda`. Entries that a later request for the same key has replaced are skipped.
  private mutating func evict() {
    while let (time, key) = agenda.pop() {
      guard due[key] == time else { continue }
      due[key] = -1
      count -= 1
      return
    }
  }
}
