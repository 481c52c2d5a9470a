extension SegmentLog {
  /// Removes the oldest segment without keeping anything of it; false if it is the only one.
  ///
  /// - Parameter kept: How many of its values are written again, and thus not evicted.
  func dropOldest(
    _ writer: inout Writer, sparing kept: Int = 0, closesLater: Bool = false
  ) throws(FileSystemError) -> Bool {
    guard let folder = writer.folder,
      let (book, number) = state.withLock({ $0.index.hasOnlyOne ? nil : $0.index.oldest })
    else { return false }
    try unlink(number, in: folder)
    drop(book, isEviction: true, sparing: kept, closesLater: closesLater)
    return true
  }

  /// Takes a segment out of the index; its file closes now, or when nobody waits for it: if it is
  /// removed, to close it takes the system 0.1 ms a MiB.
  func drop(
    _ book: Int, isEviction: Bool = false, sparing kept: Int = 0, closesLater: Bool = false
  ) {
    var kept = kept
    while forgetSome(book, isEviction: isEviction, sparing: &kept) {}
    // Its file closes here, where no lock of the index is held.
    let gone = state.withLock { $0.index.remove(book) }
    if closesLater { background { withExtendedLifetime(gone) {} } }
  }

  /// Forgets some of a segment's entries, few enough that a get hardly waits; returns whether there
  /// are more.
  func forgetSome(_ book: Int, isEviction: Bool) -> Bool {
    var kept = 0
    return forgetSome(book, isEviction: isEviction, sparing: &kept)
  }

  private func forgetSome(_ book: Int, isEviction: Bool, sparing kept: inout Int) -> Bool {
    state.withLock { state in
      let (live, more) = state.index.forget(512, in: book)
      let spared = min(kept, live)
      kept -= spared
      if isEviction { state.count(evictions: live - spared) }
      return more
    }
  }

  /// Drops what was removed since it was opened, and all before it; returns whether there was any.
  ///
  /// The folder may list such a number all the same, if one who slept has made it again. What came
  /// behind it may then have been removed and made again as well, and so gone unread; but nothing
  /// is as long as a segment before it is there, since they go oldest first.
  func dropRemoved() -> Bool {
    let held = state.withLock { state in
      state.index.order.dropLast().map { ($0, state.index.segment($0).file) }
    }
    let last = held.lastIndex { _, file in (try? files.status(file)).map { $0.links == 0 } ?? true }
    guard let last else { return false }
    for (book, _) in held[...last] { drop(book, isEviction: true, closesLater: true) }
    return true
  }

  func dropAll() {
    for book in state.withLock({ $0.index.order }) { drop(book) }
  }
}

extension SegmentLog.State {
  mutating func count(evictions: Int) {
    counts.evictions &+= evictions
    unreported &+= evictions
  }
}
