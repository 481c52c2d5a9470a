import Foundation

/// Allocates zeroed memory, to be freed with `freeZeroed`.
///
/// The system zeroes a large allocation page by page on first use, so reserving room for many
/// entries takes no time. The word before the memory stores the allocator's block.
func zeroed(_ count: Int, of stride: Int, alignment: Int) -> UnsafeMutableRawPointer {
  let alignment = max(16, alignment)
  guard let block = calloc(1, max(1, count) * stride + alignment) else {
    preconditionFailure("out of memory")
  }
  let memory = (block + 16).alignedUp(toMultipleOf: alignment)
  (memory - 16).storeBytes(of: block, as: UnsafeMutableRawPointer.self)
  return memory
}

/// Frees memory from `zeroed`.
func freeZeroed(_ memory: UnsafeMutableRawPointer?) {
  guard let memory else { return }
  free((memory - 16).load(as: UnsafeMutableRawPointer.self))
}
