import Foundation

/// The state of a log in this process. One lock guards the whole state.
struct LogState {
  let files: FileSystem
  let path: String
  var capacity: Capacity
  /// Whether `setCapacity` has chosen the capacity.
  var isCapacityFixed = false
  /// The size of the log when the volume was last full, plus a little for each segment since then.
  var learnedRoom = Int.max
  /// Whether the log flushes full segments to the device.
  var isFlushing = false
  /// Whether this process is the only one that uses the directory.
  var isExclusive: Bool
  private(set) var directory: LogDirectory?
  /// The reason why the directory can't be opened, or `nil` if it was opened.
  private(set) var failure: FileError?
  var index = Index()
  /// The kind of bytes, if any, that follow the known records of the active segment.
  var tail = Tail.none
  /// The newest segment's file and length, or `nil` if this segment is sealed or not fully read.
  var watched: (file: Descriptor, size: Int)?
  /// The last bytes that looked like a torn record, but were found to be damage: the segment's ID,
  /// its known length, and its size.
  private var damage: (segment: UInt64, known: Int, size: Int)?
  /// The time of the last check that the directory and the active segment still exist.
  var checkedAt: Int64 = .min
  /// Segments to close after the lock is released, because closing a removed file is slow.
  private var retired: [SegmentState] = []
  /// Whether the next operation may start to free space in the background.
  var isTrimWanted = false
  var counts = Counts()
  /// The number of evictions that calls to `set` have already reported.
  var reportedEvictions = 0

  struct Counts {
    var gets = 0
    var hits = 0
    var misses: Int { gets - hits }
    var evictions = 0
    /// The total length of the records that calls to `set` have written.
    var setBytes = 0
    /// The total length of all written records, including copies.
    var allBytes = 0
  }

  init(path: String, capacity: Int, isExclusive: Bool, files: FileSystem) {
    (self.path, self.isExclusive, self.files) = (path, isExclusive, files)
    self.capacity = Capacity(capacity, longestFile: files.limits().fileLength)
  }

  /// Returns the newest record with this hash if it stores an unexpired value, or `nil` otherwise.
  ///
  /// - Parameter visits: Whether this counts as a get, so that evictions keep the value.
  mutating func find(_ hash: UInt64, at time: Int64, visits: Bool) -> Found? {
    guard let found = index.find(hash) else { return nil }
    let entry = index.entry(found)
    if entry.isRemoved || entry.isExpired(at: time) { return nil }
    if visits, !entry.isVisited {
      index.segments[found.segment]!.entries[found.entry].isVisited = true
    }
    return Found(segment: index.segment(found.segment), entry: entry, time: time)
  }

  /// Whether the index contains all records of all processes. Checks the file's length with
  /// `lseek`, unless `isExclusive` is `true`. Calls `lstat` and `fstat` at most once every 10 ms.
  @inline(__always)
  mutating func isCurrent(at now: Int64) -> Bool {
    guard let watched else { return false }
    if !isExclusive {
      guard (try? files.end(watched.file)) == watched.size else { return false }
    }
    return !isMoved(at: now)
  }

  /// Whether the directory or the active segment was removed or replaced. Checks this at most once
  /// every 10 ms.
  private mutating func isMoved(at now: Int64) -> Bool {
    let (elapsed, overflow) = now.subtractingReportingOverflow(checkedAt)
    if !overflow, 0..<10 ~= elapsed { return false }
    guard
      let identity = directory?.identity, let found = try? files.statusOf(AT_FDCWD, path),
      found.identity == identity, (try? isActiveInPlace()) == true
    else { return true }
    checkedAt = now
    return false
  }

  private func isActiveInPlace() throws(FileError) -> Bool {
    guard let active = index.active else { return true }
    return try index.segment(active).isInPlace
  }

  private func isActiveLinked() throws(FileError) -> Bool {
    guard let active = index.active else { return true }
    return try index.segment(active).file.status().links > 0
  }

  /// Applies the writes of all processes to the index. When this call throws, the index must not be
  /// read.
  mutating func refresh(at now: Int64) throws(FileError) {
    if isCurrent(at: now) { return }
    if directory == nil || isMoved(at: now) { try open(at: now) }
    for _ in 0..<1_000 {
      if index.active == nil { try load() }
      guard let active = index.active else { return }
      try catchUp(in: active)
      if watched != nil { return }
      if let (next, start) = try segment(index.segment(active).id + 1) {
        guard let start else { return tail = .damaged }
        try move(to: next, start)
      } else if try isActiveLinked() {
        // Processes remove older segments first. So if the active segment still exists, no newer
        // one has been removed.
        if tail == .damaged, isTorn(active) { tail = .torn }
        return
      } else {
        try open(at: now)
      }
    }
    throw .interrupted
  }

  /// Whether the bytes after the known records of the active segment begin with a torn record.
  ///
  /// This check can read a whole record, so it isn't repeated for the same bytes.
  private mutating func isTorn(_ active: Int) -> Bool {
    let (known, size) = (index.segments[active]!.known, index.segments[active]!.size)
    let bytes = (segment: index.segment(active).id, known, size)
    guard known < size, damage.map({ $0 == bytes }) != true,
      let isTorn = try? index.segment(active).isTorn(at: known, to: size)
    else { return false }
    if !isTorn { damage = bytes }
    return isTorn
  }

  /// Opens the directory again, with an empty index.
  private mutating func open(at now: Int64) throws(FileError) {
    close()
    do throws(FileError) {
      directory = try LogDirectory(path, isExclusive: isExclusive, in: files)
      failure = nil
    } catch {
      failure = error
      throw error
    }
    (checkedAt, isTrimWanted) = (now, true)
    directory?.ask(for: capacity.bytes)
    measure()
  }

  /// Empties the index and closes all files.
  mutating func close() {
    retire(index.order)
    (index, directory, watched, damage, tail) = (Index(), nil, nil, nil, .none)
  }

  /// Returns the retired segments, which the caller must release after unlocking.
  mutating func takeRetired() -> [SegmentState] {
    defer { retired = [] }
    return retired
  }

  /// Removes segments from the index. Their files are closed later.
  mutating func retire(_ slots: some Sequence<Int>) {
    for slot in slots {
      if let state = index.remove(slot) { retired.append(state) }
    }
  }

  /// Marks the active segment as damaged, because its file has become shorter. From then on, its
  /// length isn't reliable, because the file may grow again. Does nothing if `segment` isn't
  /// active.
  mutating func becomeUnknowable(_ segment: Segment) {
    guard let active = index.active, index.segment(active) === segment else { return }
    index.segments[active]!.known = .max
    (watched, tail) = (nil, .damaged)
  }

  /// Updates the active segment's known length and the `watched` property.
  mutating func watch(_ slot: Int, size: Int) {
    index.segments[slot]!.size = size
    let isKnown = index.segments[slot]!.known == size && !index.segments[slot]!.isSealed
    watched = isKnown ? index.segment(slot).descriptor.map { ($0, size) } : nil
  }

  /// When the index has all records before `range`, adds `headers` to the index and returns `true`.
  mutating func publish(
    _ headers: some Collection<RecordHeader>, _ segment: Segment, _ range: Range<Int>
  ) -> Bool {
    counts.allBytes &+= range.count
    guard
      let active = index.active, index.segments[active]!.known == range.lowerBound,
      index.segment(active) === segment, !index.segments[active]!.isSealed
    else { return false }
    for header in headers {
      let offset = index.segments[active]!.known
      index.segments[active]!.known += header.total
      index.apply(header, at: offset, in: active)
    }
    watch(active, size: range.upperBound)
    return true
  }
}
