/// A write that waits, or for which other operations wait. See `WriteQueue`.
struct QueuedWrite {
  var predecessors = 0
  var isHolding = false
  var isOvertaken = false
  var work: WriteQueue.Work?
  var followers: [Int] = []
  var gets: [(number: Int, work: WriteQueue.Work)] = []  // In call order.
}
