import Foundation
import Synchronization

/// Memory for tables. If the system refuses it, a table stays smaller.
enum ZeroedMemory {
  /// The largest block to request from the allocator. Tests lower it to refuse memory.
  static let largest = Atomic<Int>(.max)

  /// Allocates zeroed memory, to be freed with `freeZeroed`. Returns `nil` if the system refuses
  /// it.
  ///
  /// The system zeroes a large allocation page by page on first use, so reserving room for many
  /// entries takes no time. The word before the memory stores the allocator's block.
  static func allocate(
    _ count: Int, of stride: Int, alignment: Int
  ) -> UnsafeMutableRawPointer? {
    let alignment = max(16, alignment)
    let size = max(1, count) * stride + alignment
    guard size <= largest.load(ordering: .relaxed), let block = calloc(1, size) else { return nil }
    let memory = (block + 16).alignedUp(toMultipleOf: alignment)
    (memory - 16).storeBytes(of: block, as: UnsafeMutableRawPointer.self)
    return memory
  }
}

/// Allocates a few bytes of zeroed memory. Stops the program if the system refuses them, as Swift
/// does for its objects.
func zeroed(_ count: Int, of stride: Int, alignment: Int) -> UnsafeMutableRawPointer {
  guard let memory = ZeroedMemory.allocate(count, of: stride, alignment: alignment) else {
    preconditionFailure("out of memory")
  }
  return memory
}

/// Frees zeroed memory.
func freeZeroed(_ memory: UnsafeMutableRawPointer?) {
  guard let memory else { return }
  free((memory - 16).load(as: UnsafeMutableRawPointer.self))
}
