extension LogState {
  /// The total length of all segments.
  var usedBytes: Int { index.sealedBytes + index.activeSize }

  /// Changes the capacity, and lets other processes know the new capacity.
  mutating func ask(for bytes: Int) {
    var changed = Capacity(bytes, longestFile: files.limits().fileLength)
    (changed.shared, changed.room) = (capacity.shared, capacity.room)
    capacity = changed
    directory?.ask(for: capacity.bytes)
    measure()
  }

  /// Finds out how many bytes the log can take: the largest capacity that a live process requests,
  /// but at most the room on the volume. But a sixteenth stays free, because files take whole
  /// blocks.
  mutating func measure() {
    guard let directory else { return }
    capacity.shared = directory.largestAsk(above: capacity.bytes) ?? 0
    let free = files.room(directory.descriptor) ?? .max
    let (sum, overflow) = usedBytes.addingReportingOverflow(free)
    capacity.room = min(overflow ? .max : sum - sum / 16, learnedRoom)
  }

  /// Learns the room from a write that failed on a full volume. There's no other way to see a
  /// user's quota.
  mutating func learnRoom() {
    learnedRoom = usedBytes
    measure()
  }

  /// Measures the room when a segment is created. Lets the log grow again in small steps.
  mutating func measureAtRoll() {
    let (sum, overflow) = learnedRoom.addingReportingOverflow(learnedRoom / 16 + (4 << 10))
    learnedRoom = overflow ? .max : sum
    measure()
  }
}
