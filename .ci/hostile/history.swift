import Foundation

/// One operation of one thread, recorded in memory that outlives the process.
struct Operation {
  enum Kind: UInt64 { case get = 1, set, remove, clear }
  /// The start and end times, in nanoseconds of the monotonic clock. The end time is zero until the
  /// call returns.
  var start: UInt64 = 0
  var end: UInt64 = 0
  var kind: UInt64 = 0
  var key: UInt64 = 0
  /// The version that was written or read. Zero means a miss, and `.max` means bytes that no
  /// operation wrote.
  var version: UInt64 = 0
  /// The error's code if the call failed. The code is zero if the call succeeded, and until the call
  /// returns.
  var code: UInt64 = 0

  var hasReturned: Bool { end != 0 }
  var hasSucceeded: Bool { hasReturned && code == 0 }
}

/// The operations of one thread, in a memory-mapped file.
final class History {
  static let capacity = 1 << 21
  private let operations: UnsafeMutableBufferPointer<Operation>
  private(set) var count = 0

  init(_ path: String) {
    let size = History.capacity * MemoryLayout<Operation>.stride
    let file = open(path, O_RDWR | O_CREAT, 0o600)
    if lseek(file, 0, SEEK_END) < size { ftruncate(file, off_t(size)) }
    let map = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)!
    close(file)
    let start = map.bindMemory(to: Operation.self, capacity: History.capacity)
    operations = UnsafeMutableBufferPointer(start: start, count: History.capacity)
  }

  deinit { munmap(operations.baseAddress, operations.count * MemoryLayout<Operation>.stride) }

  var isFull: Bool { count == History.capacity }
  var all: [Operation] { Array(operations.prefix { $0.start != 0 }) }

  func begin(_ kind: Operation.Kind, _ key: Int, _ version: UInt64 = 0) {
    operations[count] = Operation(
      start: clock(), kind: kind.rawValue, key: UInt64(key), version: version)
  }

  func end(_ version: UInt64? = nil, code: Int32 = 0) {
    if let version { operations[count].version = version }
    // The end time comes last, because a process can be killed between two of these lines.
    operations[count].code = UInt64(code)
    operations[count].end = clock()
    count += 1
  }
}

func clock() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// The faults that a check of histories found.
struct Verdict {
  var operations = 0
  var wrong = 0, future = 0, stale = 0, flickers = 0
  /// The number of gets that missed although a `set` of the key had succeeded, and no `remove` or
  /// `clear` can have taken effect since that `set` began.
  var lost = 0
  var examples: [String] = []
}

/// Checks histories for linearizability. The check treats each key as a register whose reads are
/// allowed to miss at any time.
///
/// Each write to a key has a unique version, so the version that a read returns identifies the
/// write. Because versions are unique, the check finds every fault and never rejects a correct
/// history (Gibbons and Korach, "Testing Shared Memories", 1997).
///
/// For each version, the check computes when the register of the key must have contained the
/// version. The check considers the version's write and all reads that returned the version. If one
/// operation on the version ended before another operation on the version started, the register
/// contained the version from the earliest end to the latest start of the operations. If all
/// operations on a version overlapped each other, the register contained the version at some time
/// between their latest start and their earliest end. The check reports a fault if these times show
/// that one register contained two versions at the same time.
///
/// The check treats a `remove` or a `clear` like a `set` whose value is never read. A failed or
/// unfinished write can take effect at any later time, or never. The check ignores a failed or
/// unfinished write unless a `get` returned the write's version.
func check(_ histories: [[Operation]], keys: Int) -> Verdict {
  var verdict = Verdict()
  var byKey = [[Operation]](repeating: [], count: keys)
  // A process that is killed while it records the start of an operation leaves a partial record.
  for operation in histories.joined() where Operation.Kind(rawValue: operation.kind) != nil {
    verdict.operations += 1
    if operation.kind == Operation.Kind.clear.rawValue {
      for key in 0..<keys { byKey[key].append(operation) }
    } else {
      byKey[Int(operation.key)].append(operation)
    }
  }
  for (key, operations) in byKey.enumerated() { check(operations, key, &verdict) }
  return verdict
}

/// Counts the misses of a key that only the loss of a successful `set` can explain.
private func lost(_ operations: [Operation]) -> Int {
  var (sets, erasures): ([Operation], [Operation]) = ([], [])
  for operation in operations {
    switch Operation.Kind(rawValue: operation.kind)! {
    case .set where operation.hasSucceeded: sets.append(operation)
    case .remove, .clear: erasures.append(operation)
    default: break
    }
  }
  sets.sort { $0.end < $1.end }
  erasures.sort { $0.start < $1.start }
  let misses = operations.filter {
    $0.kind == Operation.Kind.get.rawValue && $0.hasReturned && $0.version == 0
  }.sorted { $0.start < $1.start }
  var (count, set, lastSet) = (0, 0, UInt64?.none)
  for miss in misses {
    while set < sets.count, sets[set].end < miss.start {
      lastSet = max(lastSet ?? 0, sets[set].start)
      set += 1
    }
    guard let lastSet else { continue }
    // A failed or unfinished erasure can take effect at any later time.
    let mayBeErased = erasures.contains {
      $0.start < miss.end && ($0.hasSucceeded ? $0.end : .max) > lastSet
    }
    if !mayBeErased { count += 1 }
  }
  return count
}

private struct Cluster {
  var version: UInt64
  var writeStart = UInt64.max
  var firstEnd = UInt64.max
  var lastStart: UInt64 = 0
  var isRead = false
}

private func check(_ operations: [Operation], _ key: Int, _ verdict: inout Verdict) {
  var clusters: [UInt64: Cluster] = [:]
  var erasures: [(start: UInt64, end: UInt64, text: String)] = []
  var misses: [(start: UInt64, end: UInt64)] = []
  for operation in operations {
    let end = operation.hasSucceeded ? operation.end : .max
    switch Operation.Kind(rawValue: operation.kind)! {
    case .set:
      var cluster = clusters[operation.version] ?? Cluster(version: operation.version)
      cluster.writeStart = operation.start
      cluster.firstEnd = min(cluster.firstEnd, end)
      cluster.lastStart = max(cluster.lastStart, operation.start)
      clusters[operation.version] = cluster
    case .get where !operation.hasReturned: break
    case .get where operation.version == .max:
      verdict.wrong += 1
    case .get where operation.version == 0: misses.append((operation.start, operation.end))
    case .get:
      var cluster = clusters[operation.version] ?? Cluster(version: operation.version)
      cluster.firstEnd = min(cluster.firstEnd, operation.end)
      cluster.lastStart = max(cluster.lastStart, operation.start)
      cluster.isRead = true
      clusters[operation.version] = cluster
    case .remove, .clear:
      if operation.hasSucceeded { erasures.append((operation.start, end, "erasure")) }
    }
  }
  var forward: [Cluster] = []
  for cluster in clusters.values {
    if cluster.writeStart == .max || cluster.firstEnd < cluster.writeStart { verdict.future += 1 }
    if cluster.firstEnd < cluster.lastStart {
      forward.append(cluster)
    } else if cluster.firstEnd != .max {
      erasures.append((cluster.lastStart, cluster.firstEnd, "version \(cluster.version)"))
    }
  }
  forward.sort { $0.firstEnd < $1.firstEnd }
  for (one, other) in zip(forward, forward.dropFirst()) where other.firstEnd < one.lastStart {
    verdict.stale += 1
    verdict.examples.append("key \(key): versions \(one.version) and \(other.version) overlap")
  }
  func holder(_ start: UInt64, _ end: UInt64) -> Cluster? {
    // Finds the last interval that begins before the operation.
    var (low, high) = (0, forward.count)
    while low < high {
      let middle = (low + high) / 2
      if forward[middle].firstEnd < start { low = middle + 1 } else { high = middle }
    }
    guard low > 0, forward[low - 1].lastStart > end else { return nil }
    return forward[low - 1]
  }
  for (start, end, text) in erasures {
    guard let found = holder(start, end) else { continue }
    verdict.stale += 1
    verdict.examples.append("key \(key): \(text) within version \(found.version)")
  }
  for (start, end) in misses where holder(start, end) != nil { verdict.flickers += 1 }
  verdict.lost += lost(operations)
}
