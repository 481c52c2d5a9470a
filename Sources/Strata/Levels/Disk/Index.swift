/// A place in the log: total order over all records of all processes.
struct Place: Comparable {
  var segment: UInt64
  var offset: Int

  static func < (one: Place, other: Place) -> Bool {
    (one.segment, one.offset) < (other.segment, other.offset)
  }
}

/// Where the newest record of every key lies: what the records of the log, applied in order, mean.
///
/// The same in every process, whether it watched the records come or read them at opening. It does
/// no input or output.
struct Index {
  /// One segment, and what is known of it.
  struct Book {
    let segment: Segment
    /// All records before this offset have been applied.
    var known = 0
    /// How long the file was when it was last looked at.
    var size = 0
    var isSealed = false
    /// Where the last clear in it ends, or 0.
    var lastClear = 0
    var entries = ContiguousArray<Entry>()
    /// How many of the entries, from the first on, were forgotten because the segment is to go.
    var forgotten = 0
  }

  /// The most segments there may be: the number of one is a byte in the table.
  static let mostBooks = 255

  private(set) var table = Table()
  var books = ContiguousArray<Book?>(repeating: nil, count: mostBooks)
  /// The numbers of the books in use, the oldest segment first.
  private(set) var order: [Int] = []
  /// Where the last clear ends.
  private(set) var cleared = Place(segment: 0, offset: 0)
  /// Keys with a value.
  private(set) var live = 0

  var active: Int? { order.last }

  /// The bytes of all segments but the active one.
  private(set) var sealedBytes = 0

  /// Adds the newest segment; `nil` if there are too many.
  mutating func add(_ segment: Segment) -> Int? {
    guard let free = books.firstIndex(where: { $0 == nil }) else { return nil }
    books[free] = Book(segment: segment)
    if let active { sealedBytes += books[active]!.size }
    order.append(free)
    return free
  }

  /// Applies a record at its place.
  mutating func apply(_ header: RecordHeader, at offset: Int, in book: Int) {
    switch header.kind {
    case .set, .remove: put(header, at: offset, in: book)
    case .clear: clear(before: offset + header.total, in: book)
    case .seal: seal(book)
    case .copy where isUnwrittenSince(header.mark, header.hash, in: book):
      put(header, at: offset, in: book)
    case .copy: break
    }
  }

  /// Applies what a seal's table says of its segment: entries in order, all before them cleared if
  /// there was a clear.
  mutating func apply(
    _ entries: some Sequence<Entry>, clearedBefore lastClear: Int, in book: Int
  ) {
    if lastClear > 0 { clear(before: lastClear, in: book) }
    for entry in entries { put(entry, in: book) }
  }

  /// A copy says what was true at its mark. Whatever was written since, removes included, is newer;
  /// and as the mark is in the copy's own segment, no evidence goes before the copy does.
  private func isUnwrittenSince(_ mark: UInt64, _ hash: UInt64, in book: Int) -> Bool {
    let mark = Place(
      segment: books[book]!.segment.number, offset: Int(clamping: mark))
    guard cleared <= mark else { return false }
    guard let newest = find(hash) else { return true }
    return place(of: newest) < mark
  }

  private func place(of found: Table.Reference) -> Place {
    Place(
      segment: books[found.book]!.segment.number,
      offset: Int(books[found.book]!.entries[found.entry].offset))
  }

  private mutating func put(_ header: RecordHeader, at offset: Int, in book: Int) {
    guard let entry = Entry(header, at: offset) else { return forget(header.hash) }
    put(entry, in: book)
  }

  private mutating func put(_ entry: Entry, in book: Int) {
    let number = books[book]!.entries.count
    guard number < Table.mostEntries else { return forget(entry.hash) }
    books[book]!.entries.append(entry)
    let new = Table.Reference(book: book, entry: number)
    let slot = table.slot(of: entry.hash) { self.entry($0).hash == entry.hash }
    if let slot {
      if !self.entry(table[slot]).isRemoved { live -= 1 }
      table[slot] = new
    } else {
      table.insert(new, hash: entry.hash)
    }
    if !entry.isRemoved { live += 1 }
  }

  /// What no entry can tell of must not let an older record show through.
  private mutating func forget(_ hash: UInt64) {
    guard let slot = table.slot(of: hash, where: { entry($0).hash == hash }) else { return }
    if !entry(table[slot]).isRemoved { live -= 1 }
    table.remove(slot)
  }

  private mutating func clear(before end: Int, in book: Int) {
    table = Table()
    live = 0
    for other in order { (books[other]!.entries, books[other]!.forgotten) = ([], 0) }
    books[book]!.lastClear = end
    cleared = Place(segment: books[book]!.segment.number, offset: end)
  }

  private mutating func seal(_ book: Int) {
    books[book]!.isSealed = true
    // Growing has left up to half of it unused.
    books[book]!.entries = books[book]!.entries.withUnsafeBufferPointer { ContiguousArray($0) }
  }
}

extension Index {
  func entry(_ reference: Table.Reference) -> Entry {
    books[reference.book]!.entries[reference.entry]
  }

  /// The newest record of a hash, removes included.
  func find(_ hash: UInt64) -> Table.Reference? {
    table.slot(of: hash) { entry($0).hash == hash }.map { table[$0] }
  }

  func isNewest(_ entry: Int, in book: Int) -> Bool {
    // A clear has left none.
    guard entry < entries(of: book) else { return false }
    let reference = Table.Reference(book: book, entry: entry)
    return table.holds(reference, of: self.entry(reference).hash)
  }

  mutating func visit(_ reference: Table.Reference) {
    books[reference.book]!.entries[reference.entry].flags |= Entry.visited
  }

  /// Forgets the next so many entries of a segment that is to go; returns how many of them held a
  /// value, and whether there are more.
  mutating func forget(_ count: Int, in book: Int) -> (live: Int, more: Bool) {
    let entries = books[book]!.entries
    let first = books[book]!.forgotten
    let end = min(entries.count, first + count)
    var gone = 0
    for number in first..<end {
      let reference = Table.Reference(book: book, entry: number)
      guard table.remove(reference, of: entries[number].hash) else { continue }
      if !entries[number].isRemoved { gone += 1 }
    }
    books[book]!.forgotten = end
    live -= gone
    return (gone, end < entries.count)
  }

  /// Takes a segment out, after all its entries were forgotten.
  mutating func remove(_ book: Int) -> Book? {
    order.removeAll { $0 == book }
    let gone = books[book].take()
    sealedBytes = order.dropLast().reduce(0) { $0 + books[$1]!.size }
    return gone
  }
}

extension Index {
  func segment(_ book: Int) -> Segment { books[book]!.segment }

  func entries(of book: Int) -> Int { books[book]?.entries.count ?? 0 }

  var activeEntries: Int { active.map { books[$0]!.entries.count } ?? 0 }

  var hasOnlyOne: Bool { order.count <= 1 }

  var oldest: (book: Int, number: UInt64)? {
    order.first.map { ($0, books[$0]!.segment.number) }
  }

  /// The newest segment if it is not sealed.
  var open: (book: Int, number: UInt64)? {
    guard let active, !books[active]!.isSealed else { return nil }
    return (active, books[active]!.segment.number)
  }

  /// Whether some of the oldest segment is forgotten, since it is to go.
  var isOldestLeaving: Bool { !hasOnlyOne && order.first.map { books[$0]!.forgotten > 0 } ?? false }

  /// The oldest segment if it holds no entry, not even of a remove, and is not the active one.
  var leadingEmpty: (book: Int, number: UInt64)? {
    guard !hasOnlyOne, let oldest, books[oldest.book]!.entries.isEmpty else { return nil }
    return oldest
  }

  /// The entries that are the newest of their hashes, among so many from one on.
  func newestEntries(_ count: Int, from first: Int, in book: Int) -> [Entry] {
    let entries = books[book]!.entries
    return (first..<max(first, min(entries.count, first + count)))
      .filter { isNewest($0, in: book) }.map { entries[$0] }
  }

  /// The newest values that were read, among so many entries from one on, and where to go on.
  func visited(
    _ count: Int, from first: Int, in book: Int
  ) -> (found: [(number: Int, entry: Entry)], next: Int, isEnd: Bool) {
    let entries = books[book]!.entries
    let end = min(entries.count, first + count)
    let found = (first..<max(first, end))
      .filter { entries[$0].isVisited && !entries[$0].isRemoved && isNewest($0, in: book) }
    return (found.map { ($0, entries[$0]) }, end, end >= entries.count)
  }

  /// Notes how long a segment is that is sealed, and may have grown nevertheless.
  mutating func measured(_ book: Int, _ end: Int) {
    let growth = end - books[book]!.size
    guard books[book]!.isSealed, growth > 0 else { return }
    books[book]!.size = end
    if book != active { sealedBytes += growth }
  }

  /// Ends a segment of which a table told everything.
  mutating func close(_ book: Int) { seal(book) }
}
