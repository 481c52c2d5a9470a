extension SegmentLog {
  /// Removes the oldest segment without keeping anything of it; false if it is the only one.
  func dropOldest(
    _ writer: inout Writer, closesLater: Bool = false
  ) throws(FileSystemError) -> Bool {
    guard let folder = writer.folder,
      let (book, number) = state.withLock({ $0.index.hasOnlyOne ? nil : $0.index.oldest })
    else { return false }
    try unlink(number, in: folder)
    drop(book, isEviction: true, closesLater: closesLater)
    return true
  }

  /// Takes a segment out of the index; its file closes now, or when nobody waits for it: if it is
  /// removed, to close it takes the system 0.1 ms a MiB.
  func drop(_ book: Int, isEviction: Bool = false, closesLater: Bool = false) {
    while forgetSome(book, isEviction: isEviction) {}
    // Its file closes here, where no lock of the index is held.
    let gone = state.withLock { $0.index.remove(book) }
    if closesLater { background { withExtendedLifetime(gone) {} } }
  }

  /// Forgets some of a segment's entries, few enough that a get hardly waits; returns whether there
  /// are more.
  func forgetSome(_ book: Int, isEviction: Bool) -> Bool {
    state.withLock { state in
      let (live, more) = state.index.forget(512, in: book)
      if isEviction { state.count(evictions: live) }
      return more
    }
  }

  func dropAll() {
    for book in state.withLock({ $0.index.order }) { drop(book) }
  }
}

extension SegmentLog.State {
  fileprivate mutating func count(evictions: Int) {
    counts.evictions &+= evictions
    unreported &+= evictions
  }
}
