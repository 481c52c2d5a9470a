/// A segment and its state in this process.
struct SegmentState {
  var segment: Segment
  /// The offset up to which the index contains all records of the segment.
  var known = 0
  /// The length of the file at the last check.
  var size = 0
  var isSealed = false
  var entries = ContiguousArray<Entry>()
  /// The number of leading entries that the current eviction has removed from the table.
  var forgotten = 0
}

/// An index of the newest record of every key. Every process applies the records in the log's
/// order, so all processes have the same index. The index itself doesn't access files.
struct Index {
  /// The maximum number of segments: in the hash table, a segment's slot takes one byte.
  static let mostSegments = 255

  private(set) var table = Table()
  var segments = ContiguousArray<SegmentState?>(repeating: nil, count: mostSegments)
  /// The used slots of `segments`, in order from the oldest segment to the newest.
  private(set) var order: [Int] = []
  /// The end of the last `clear` record: a segment ID and an offset. Positions are compared by the
  /// segment first, and then by the offset.
  private(set) var cleared: (segment: UInt64, offset: Int) = (0, 0)
  /// The number of keys with a value.
  private(set) var live = 0
  /// The total size of all segments except the active one, in bytes.
  private(set) var sealedBytes = 0

  /// Adds a segment as the newest segment, and returns its slot. At least one slot must be free.
  mutating func add(_ segment: Segment) -> Int {
    let free = segments.firstIndex { $0 == nil }!
    segments[free] = SegmentState(segment: segment)
    sealedBytes += activeSize
    order.append(free)
    return free
  }

  /// Updates the index for a record at an offset in a segment.
  mutating func apply(_ header: RecordHeader, at offset: Int, in slot: Int) {
    switch header.kind {
    case .set, .remove: put(Entry(header, at: offset), in: slot)
    case .clear: clear(before: offset + header.total, in: slot)
    case .seal: seal(slot)
    case .copy:
      // The process that copied the value had read this segment up to `mark`. So if a record after
      // `mark` changes the key, the copy is invalid. Both records are in one segment, so one
      // eviction removes both.
      let mark = (self.segment(slot).id, Int(clamping: header.mark))
      let newest = find(header.hash).map { found in
        (self.segment(found.segment).id, Int(entry(found).offset))
      }
      if cleared <= mark, newest ?? (0, 0) < mark { put(Entry(header, at: offset), in: slot) }
    case .start: break
    }
  }

  /// Applies a sealed segment's last `clear` record to the index, and then the segment's entries.
  mutating func apply(_ seal: Segment.Seal, in slot: Int) {
    if seal.lastClear > 0 { clear(before: seal.lastClear, in: slot) }
    for entry in seal.entries { put(entry, in: slot) }
    segments[slot]!.known = seal.covered
  }

  private mutating func put(_ entry: Entry, in slot: Int) {
    let count = segments[slot]!.entries.count
    // The log seals a segment long before it has so many entries. But if a damaged file has too
    // many, the index drops all older entries, so gets of their keys miss.
    guard count < Table.mostEntries else { return clear(before: Int(entry.offset), in: slot) }
    segments[slot]!.entries.append(entry)
    let new = Table.Reference(segment: slot, entry: count)
    if let found = table.slot(of: entry.hash, where: { self.entry($0).hash == entry.hash }) {
      if !self.entry(table[found]).isRemoved { live -= 1 }
      table[found] = new
    } else {
      table.insert(new, hash: entry.hash)
    }
    if !entry.isRemoved { live += 1 }
  }

  private mutating func clear(before end: Int, in slot: Int) {
    (table, live) = (Table(), 0)
    for other in order { (segments[other]!.entries, segments[other]!.forgotten) = ([], 0) }
    cleared = (segment(slot).id, end)
  }

  /// Marks a segment as sealed, and frees the unused memory of its entries.
  mutating func seal(_ slot: Int) {
    segments[slot]!.isSealed = true
    segments[slot]!.entries = segments[slot]!.entries.withUnsafeBufferPointer {
      ContiguousArray($0)
    }
  }

  /// Removes the next `count` entries of an evicted segment. Returns the number of removed values,
  /// and whether entries remain.
  mutating func forget(_ count: Int, in slot: Int) -> (live: Int, more: Bool) {
    let (entries, first) = (segments[slot]!.entries, segments[slot]!.forgotten)
    let end = min(entries.count, first + count)
    var removed = 0
    for entry in first..<end {
      let reference = Table.Reference(segment: slot, entry: entry)
      guard table.remove(reference, of: entries[entry].hash) else { continue }
      if !entries[entry].isRemoved { removed += 1 }
    }
    segments[slot]!.forgotten = end
    live -= removed
    return (removed, end < entries.count)
  }

  /// Removes a segment and its remaining entries from the index, and returns its state.
  mutating func remove(_ slot: Int) -> SegmentState? {
    while forget(.max >> 1, in: slot).more {}
    order.removeAll { $0 == slot }
    let removed = segments[slot].take()
    sealedBytes = order.dropLast().reduce(0) { $0 + segments[$1]!.size }
    return removed
  }

  var active: Int? { order.last }
  var activeSize: Int { active.map { segments[$0]!.size } ?? 0 }
  var activeEntries: Int { active.map(entries) ?? 0 }

  func segment(_ slot: Int) -> Segment { segments[slot]!.segment }
  func entries(of slot: Int) -> Int { segments[slot]?.entries.count ?? 0 }
  func entry(_ found: Table.Reference) -> Entry { segments[found.segment]!.entries[found.entry] }

  /// Returns a reference to the newest record with a given hash, even if it's a removal.
  func find(_ hash: UInt64) -> Table.Reference? {
    table.slot(of: hash) { entry($0).hash == hash }.map { table[$0] }
  }

  /// Whether an entry is the newest of its key. Compares offsets instead of array indices, because
  /// these change when a segment is loaded again.
  func isNewest(_ entry: Entry, in slot: Int) -> Bool {
    find(entry.hash).map { $0.segment == slot && self.entry($0).offset == entry.offset } ?? false
  }

  /// The active segment, the end offset of its known records, and whether the segment is sealed.
  var activePosition: (segment: Segment, known: Int, isSealed: Bool)? {
    active.flatMap { segments[$0] }.map { ($0.segment, $0.known, $0.isSealed) }
  }

  /// The slot and the ID of the oldest segment, or `nil` if there is only one segment.
  var oldestSealed: (slot: Int, id: UInt64)? {
    order.count > 1 ? order.first.map { ($0, segment($0).id) } : nil
  }

  /// The active segment, and the contents of the seal to append to it.
  var nextSeal: (segment: Segment, seal: Segment.Seal)? {
    guard let active, let state = segments[active] else { return nil }
    let lastClear = state.segment.id == cleared.segment ? cleared.offset : 0
    let newest = state.entries.filter { isNewest($0, in: active) }
    return (state.segment, (state.known, lastClear, Array(newest)))
  }

  /// Looks at the next entries from a position on, at most `most` of them, and turns expired values
  /// into removals. The removals stay in the index, because another process may copy an older value
  /// of the key. Returns the number of removed values, and the next position, or `nil` after the
  /// last entry.
  mutating func expire(
    _ slot: Int, from first: Int, atMost most: Int, at now: Int64
  ) -> (values: Int, next: Int?) {
    guard let count = segments[slot]?.entries.count else { return (0, nil) }
    var (next, values) = (first, 0)
    while next < count, next - first < most {
      let entry = segments[slot]!.entries[next]
      if !entry.isRemoved, entry.isExpired(at: now), isNewest(entry, in: slot) {
        segments[slot]!.entries[next].isRemoved = true
        values += 1
      }
      next += 1
    }
    live -= values
    return (values, next < count ? next : nil)
  }

  /// Looks at the next entries of a segment from a position on, at most `most` of them. Returns the
  /// entries that have a value, and the next position, which is `nil` after the last entry.
  func valid(
    _ slot: Int, from first: Int, atMost most: Int, at now: Int64
  ) -> (entries: [Entry], next: Int?) {
    guard let entries = segments[slot]?.entries, first < entries.count else { return ([], nil) }
    let end = min(entries.count, first + most)
    let found = entries[first..<end].filter {
      !$0.isRemoved && !$0.isExpired(at: now) && isNewest($0, in: slot)
    }
    return (Array(found), end < entries.count ? end : nil)
  }

  /// Returns the segment's next entries that a get has read and that no later record has replaced.
  ///
  /// - Parameters:
  ///   - most: The soft limit on the total length in bytes. Only a single entry may exceed it.
  ///   - longest: The maximum total length in bytes. Skips entries that would exceed `longest`.
  ///   - next: The index of the first entry to check, updated for the next call.
  func visited(_ most: Int, _ longest: Int, from next: inout Int, in slot: Int) -> [Entry] {
    let entries = segments[slot]!.entries
    var (found, bytes) = ([Entry](), 0)
    while next < entries.count {
      let entry = entries[next]
      if entry.isVisited, !entry.isRemoved, bytes + Int(entry.length) <= longest,
        isNewest(entry, in: slot)
      {
        if bytes > 0, bytes + Int(entry.length) > most { break }
        found.append(entry)
        bytes += Int(entry.length)
      }
      next += 1
    }
    return found
  }
}
