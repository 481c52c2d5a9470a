/// The closures of timers, ordered by their due times: a binary heap.
struct TimerHeap {
  /// A scheduled closure. Its variables are guarded by the lock of the heap.
  final class Timer: @unchecked Sendable {
    let due: Int64
    fileprivate let number: Int
    fileprivate var work: (@Sendable () -> Void)?
    /// The position in the heap. The earliest timer has the position zero.
    fileprivate(set) var index: Int

    fileprivate init(_ due: Int64, _ number: Int, _ work: @escaping @Sendable () -> Void, at: Int) {
      (self.due, self.number, self.work, index) = (due, number, work, at)
    }

    fileprivate func isBefore(_ other: Timer) -> Bool {
      (due, number) < (other.due, other.number)
    }
  }

  private var timers: [Timer] = []
  private var last = 0

  var isEmpty: Bool { timers.isEmpty }
  var count: Int { timers.count }

  /// The earliest due time, or `nil` if there are no timers.
  var first: Int64? { timers.first?.due }

  /// Adds a timer. Timers with the same due time keep their order.
  ///
  /// - Complexity: O(log n).
  mutating func add(due: Int64, _ work: @escaping @Sendable () -> Void) -> Timer {
    last += 1
    let timer = Timer(due, last, work, at: timers.count)
    timers.append(timer)
    rise(timer.index)
    return timer
  }

  /// Removes a timer and returns its closure, or returns `nil` if the heap doesn't contain the
  /// timer.
  ///
  /// - Complexity: O(log n).
  mutating func cancel(_ timer: Timer) -> (@Sendable () -> Void)? {
    guard let work = timer.work.take() else { return nil }
    remove(at: timer.index)
    return work
  }

  /// Removes the earliest timer and returns its closure, or returns `nil` if no timer is due.
  mutating func next(by now: Int64) -> (@Sendable () -> Void)? {
    guard let first = timers.first, first.due <= now else { return nil }
    return cancel(first)
  }

  private mutating func remove(at index: Int) {
    swap(index, timers.count - 1)
    timers.removeLast()
    guard index < timers.count else { return }
    rise(index)
    sink(index)
  }

  private mutating func rise(_ start: Int) {
    var index = start
    while index > 0, timers[index].isBefore(timers[(index - 1) / 2]) {
      swap(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func sink(_ start: Int) {
    var index = start
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < timers.count && timers[child].isBefore(timers[least]) {
        least = child
      }
      if least == index { return }
      swap(index, least)
      index = least
    }
  }

  private mutating func swap(_ one: Int, _ other: Int) {
    timers.swapAt(one, other)
    timers[one].index = one
    timers[other].index = other
  }
}
