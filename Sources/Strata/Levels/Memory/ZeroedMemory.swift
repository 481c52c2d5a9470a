#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Memory that is all zero, to be freed with `freeZeroed`; a large piece is not touched before it
/// is used, so that room for many entries costs no time.
///
/// The block that the allocator gave is noted in the word before the memory.
func zeroed(_ count: Int, of stride: Int, alignment: Int) -> UnsafeMutableRawPointer {
  let alignment = max(16, alignment)
  guard let block = calloc(1, max(1, count) * stride + alignment) else {
    fatalError("out of memory")
  }
  let memory = (block + 16).alignedUp(toMultipleOf: alignment)
  (memory - 16).storeBytes(of: block, as: UnsafeMutableRawPointer.self)
  return memory
}

/// Gives memory back that `zeroed` made.
func freeZeroed(_ memory: UnsafeMutableRawPointer?) {
  guard let memory else { return }
  free((memory - 16).load(as: UnsafeMutableRawPointer.self))
}
