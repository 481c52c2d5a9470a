import Foundation
import Synchronization

/// Zeroed memory for tables. If none can be allocated, a table doesn't grow.
enum ZeroedMemory {
  /// The maximum size of an allocated block in bytes. Tests lower this limit to make allocations
  /// fail.
  static let largest = Atomic<Int>(.max)

  /// Allocates zeroed memory, which the caller frees with `freeZeroed`. Returns `nil` if the
  /// allocation fails.
  ///
  /// The system zeroes each page of a large allocation at its first use, so reserving room for many
  /// entries takes almost no time. In the 16 bytes before the returned memory is the address of the
  /// allocator's block.
  static func allocate(
    _ count: Int, of stride: Int, alignment: Int
  ) -> UnsafeMutableRawPointer? {
    let alignment = max(16, alignment)
    let size = max(1, count) * stride + alignment
    guard size <= largest.load(ordering: .relaxed), let block = calloc(1, size) else { return nil }
    HugePages.request(for: block, size: size)
    let memory = (block + 16).alignedUp(toMultipleOf: alignment)
    (memory - 16).storeBytes(of: block, as: UnsafeMutableRawPointer.self)
    return memory
  }
}

/// Allocates a few bytes of zeroed memory. Stops the program if the allocation fails, as Swift does
/// for objects.
func zeroed(_ count: Int, of stride: Int, alignment: Int) -> UnsafeMutableRawPointer {
  guard let memory = ZeroedMemory.allocate(count, of: stride, alignment: alignment) else {
    preconditionFailure("out of memory")
  }
  return memory
}

/// Frees memory that `ZeroedMemory.allocate` or `zeroed` returned.
func freeZeroed(_ memory: UnsafeMutableRawPointer?) {
  guard let memory else { return }
  free((memory - 16).load(as: UnsafeMutableRawPointer.self))
}
