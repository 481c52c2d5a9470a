#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension SegmentLog {
  /// Removes all values: by a record, or if that cannot be written by removing all segments.
  func clear(_ writer: inout Writer) throws(FileSystemError) {
    do throws(FileSystemError) {
      for _ in 0..<100 {
        try refresh(&writer)
        var draft = Draft(.clear, born: files.now())
        draft.header.mark = writer.marks.next()
        guard let place = try append(draft, &writer) else { continue }
        // It is in force. What it has made void goes now, or else in its turn.
        try? roll(&writer)
        try? removeAll(before: place.segment, writer)
        return
      }
      throw FileSystemError(operation: "write", code: EAGAIN)
    } catch {
      guard let folder = writer.folder else { throw error }
      try removeAll(in: folder, &writer)
      forget(&writer)
      try? refresh(&writer)
    }
  }

  private func removeAll(in folder: OpenFile, _ writer: inout Writer) throws(FileSystemError) {
    let numbers = try list(folder)
    writer.highest = max(writer.highest, numbers.last ?? 0)
    for number in numbers.dropLast() { try removeOwnFile(number, in: folder) }
    if let last = numbers.last { try abandon(last, in: folder) }
  }

  private func removeAll(before segment: UInt64, _ writer: Writer) throws(FileSystemError) {
    guard let folder = writer.folder else { return }
    // The active one stays, whatever its number: in a folder that was made anew it may be lower.
    while let (book, number) = state.withLock({ $0.index.hasOnlyOne ? nil : $0.index.oldest }),
      number < segment
    {
      try unlink(number, in: folder)
      drop(book, closesLater: true)
    }
  }
}
