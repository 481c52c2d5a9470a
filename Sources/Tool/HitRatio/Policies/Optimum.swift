/// The optimum (Belady, 1966), which evicts the key whose next request is furthest away.
///
/// If the next request for a new key is the furthest away, the policy doesn't store the new key.
struct Optimum: ReplacementPolicy {
  private let capacity: Int
  /// For each request, the time of the next request for the same key.
  private let next: [Int]
  private var time = 0
  private var due: [Int]  // The time of each cached key's next request, or -1.
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

  // Pops the key whose next request is furthest away. The agenda contains a key once per request.
  // Only a key's latest entry in the agenda counts, and earlier entries are skipped.
  private mutating func evict() {
    while let (time, key) = agenda.pop() {
      guard due[key] == time else { continue }
      due[key] = -1
      count -= 1
      return
    }
  }
}
