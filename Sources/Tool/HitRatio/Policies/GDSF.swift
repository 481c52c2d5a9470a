/// Greedy-Dual-Size-Frequency (Cherkasova, "Improving WWW Proxies Performance with
/// Greedy-Dual-Size-Frequency Caching Policy", HP Laboratories, 1998).
///
/// Each key has a priority: the number of requests since its insertion, divided by its size, plus
/// the priority of the last evicted key. This policy evicts the key with the lowest priority.
struct GDSF: ReplacementPolicy {
  private let capacity: Int
  private let sizes: [Int]
  private var total = 0
  /// The number of requests for each cached key, or zero for a key that isn't cached.
  private var counts: [Int]
  private var priorities: [Double]
  /// The keys, with priorities that are negated because the heap returns the highest number first.
  /// This heap can also contain outdated priorities.
  private var heap = PriorityHeap<Double>()
  private var age = 0.0

  init(capacity: Int, sizes: [Int]) {
    (self.capacity, self.sizes) = (capacity, sizes)
    counts = Array(repeating: 0, count: sizes.count)
    priorities = Array(repeating: 0, count: sizes.count)
  }

  mutating func access(_ key: Int) -> Bool {
    let isHit = counts[key] > 0
    guard isHit || sizes[key] <= capacity else { return false }
    if !isHit {
      while total + sizes[key] > capacity { evict() }
      total += sizes[key]
    }
    counts[key] += 1
    priorities[key] = age + Double(counts[key]) / Double(sizes[key])
    heap.push(-priorities[key], key)
    return isHit
  }

  private mutating func evict() {
    while let (priority, key) = heap.pop() {
      guard counts[key] > 0, priorities[key] == -priority else { continue }
      age = -priority
      counts[key] = 0
      total -= sizes[key]
      return
    }
  }
}
