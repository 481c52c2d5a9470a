#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension SegmentLog {
  /// Removes the newest segment, if it is a file of ours, in such a way that others who have it
  /// open see so with their next look: or they would write to a removed file for a while, and
  /// answer from it.
  ///
  /// By a seal, behind which they look for the next segment. Where that cannot be written, as on a
  /// full volume, by zeros, which are no record: those make them ask whether the file is there.
  func abandon(_ number: UInt64, in folder: OpenFile) throws(FileSystemError) {
    let name = Segment.name(number)
    do throws(FileSystemError) {
      guard try files.statusOf(folder.descriptor, name).isOwnFile else { return }
      let file = OpenFile(try files.openForAppending(folder.descriptor, name), files: files)
      let isSealed = (try? seal(number, file)) ?? false
      // Before too, lest it turn out only then that this cannot be done either.
      if !isSealed { try lengthen(file) }
      try unlink(number, in: folder)
      if isSealed { return }
      do throws(FileSystemError) { try lengthen(file) } catch {
        guard try seal(number, file) else { throw error }
      }
    } catch  where error.code == ENOENT {}
  }

  private func lengthen(_ file: OpenFile) throws(FileSystemError) {
    let end = try files.end(file.descriptor)
    try files.lengthen(file.descriptor, end + 4 * RecordHeader.length)
  }

  /// Appends a seal that tells of no entry, so that what is before it has to be read.
  private func seal(_ number: UInt64, _ file: OpenFile) throws(FileSystemError) -> Bool {
    let end = UInt64(try files.end(file.descriptor)).littleEndian
    let outcome = withUnsafeBytes(of: end) { table in
      var draft = Draft(.seal, value: table, born: files.now(), deadline: 0)
      draft.header.mark = 0
      return withUnsafeTemporaryAllocation(byteCount: RecordHeader.length, alignment: 8) { head in
        draft.header.write(to: head, in: number)
        return Result { () throws(FileSystemError) in
          try files.append(file.descriptor, UnsafeRawBufferPointer(head), table) == draft.total
        }
      }
    }
    return try outcome.get()
  }
}
