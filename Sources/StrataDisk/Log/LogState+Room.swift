extension LogState {
  /// The total length of all segments.
  var usedBytes: Int { index.sealedBytes + index.activeSize }

  /// Changes the capacity, and announces it to other processes.
  mutating func ask(for bytes: Int) {
    var changed = Capacity(bytes, longestFile: files.limits().fileLength)
    (changed.shared, changed.room) = (capacity.shared, capacity.room)
    capacity = changed
    directory?.ask(for: capacity.bytes)
    measure()
  }

  /// Measures how many bytes the log can take. That's the largest capacity that a live process
  /// requests, but at most the log's present size plus the free space of the volume. A sixteenth of
  /// this sum stays free, because files take whole blocks.
  mutating func measure() {
    guard let directory else { return }
    capacity.shared = directory.largestAsk(above: capacity.bytes) ?? 0
    let free = files.room(directory.descriptor) ?? .max
    let (sum, overflow) = usedBytes.addingReportingOverflow(free)
    capacity.room = min(overflow ? .max : sum - sum / 16, learnedRoom)
  }

  /// After a write has failed on a full volume, limits the log to its present size. No system call
  /// reports a user's quota, so this is the only way to learn it.
  mutating func learnRoom() {
    learnedRoom = usedBytes
    measure()
  }

  /// Measures the room when a segment is created. Raises the learned limit a little, so the log can
  /// grow again.
  mutating func measureAtRoll() {
    let (sum, overflow) = learnedRoom.addingReportingOverflow(learnedRoom / 16 + (4 << 10))
    learnedRoom = overflow ? .max : sum
    measure()
  }
}
