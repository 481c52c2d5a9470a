#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Memory that is all zero, to be freed with `free`; a large piece is not touched before it is used.
func zeroed(_ count: Int, of stride: Int, alignment: Int = 16) -> UnsafeMutableRawPointer {
  let size = max(1, count) * stride
  var memory: UnsafeMutableRawPointer?
  if alignment <= 16 {
    memory = calloc(1, size)
  } else {
    posix_memalign(&memory, alignment, size)
  }
  guard let memory else { fatalError("out of memory") }
  return alignment <= 16 ? memory : memset(memory, 0, size)
}
