extension SegmentLog {
  /// Whether nobody has written behind the segment that this process has just sealed: then the
  /// index holds all there is, and a get need not wait until the next segment is found.
  func isLastSealed(at now: Int64) -> Bool {
    let place = state.withLock { state -> (Segment, OpenFile)? in
      guard let sealed = state.sealed, let folder = state.folder?.file else { return nil }
      return state.isMoved(files, directory, now) ? nil : (sealed, folder)
    }
    guard
      let (sealed, folder) = place, let last = try? list(folder).last,
      last == sealed.number || last == sealed.number + 1 && isEmpty(last, in: folder)
    else { return false }
    // Segments go oldest first: as long as this one is there, none behind it has gone unseen.
    return (try? files.status(sealed.file)).map { $0.links > 0 } ?? false
  }

  private func isEmpty(_ number: UInt64, in folder: OpenFile) -> Bool {
    let status = try? files.statusOf(folder.descriptor, Segment.name(number))
    return status.map { $0.isOwnFile && $0.size == 0 } ?? false
  }

  /// Counts what others have appended behind a seal: it is void, and takes room all the same.
  func measure(_ book: Int) {
    let segment = state.withLock { $0.index.segment(book) }
    guard let end = try? files.end(segment.file) else { return }
    state.withLock { $0.index.measured(book, end) }
  }
}
