import Foundation

/// Large pages of memory, on systems that provide them on request.
///
/// A processor remembers the addresses of only a few thousand pages. In a table with more pages of
/// 4 KiB than that, most random accesses first look up the address of the page. With pages of 2 MiB,
/// they rarely do.
enum HugePages {
  /// The size in bytes from which memory should consist of large pages. Smaller tables would waste
  /// too much of a partly used page.
  static let threshold = 4 << 20

  /// Requests large pages for memory that hasn't been used yet, if it's large enough. The first use
  /// of such a page then reserves all of it.
  static func request(for memory: UnsafeMutableRawPointer, size: Int) {
    guard size >= threshold else { return }
    #if os(Linux) || os(Android)
      // The advice may concern only whole pages. If the system refuses it, the pages stay small.
      let start = memory.alignedUp(toMultipleOf: 2 << 20)
      let end = (memory + size).alignedDown(toMultipleOf: 2 << 20)
      if start < end { _ = madvise(start, end - start, MADV_HUGEPAGE) }
    #endif
  }
}
