/// The heap usage of all threads during an interval.
struct HeapCount: Equatable, Sendable {
  /// The number of calls to `malloc`, `calloc`, `realloc`, and the aligned variants.
  var allocations = 0
  /// The number of requested bytes.
  var bytes = 0
  /// The change in the number of bytes in use, including the bytes that the allocator adds when it
  /// rounds up block sizes.
  var growth = 0
}

/// A counter of heap usage, on systems where counting is supported.
enum Heap {
  /// The reason why counting isn't supported, or `nil` if it is supported.
  static var obstacle: String? {
    #if os(Linux) && canImport(Glibc)
      HeapHooks.shared == nil ? "the loaded objects of this process cannot be read" : nil
    #else
      "heap counting needs Linux with glibc"
    #endif
  }

  /// Runs `body` and returns its heap usage, or `nil` if counting isn't supported.
  ///
  /// The result includes the heap usage of other threads. Don't nest calls of this function.
  static func count(_ body: () async throws -> Void) async rethrows -> HeapCount? {
    #if os(Linux) && canImport(Glibc)
      guard let hooks = HeapHooks.shared else {
        try await body()
        return nil
      }
      hooks.begin()
      defer { hooks.end() }
      try await body()
      return Allocator.count
    #else
      try await body()
      return nil
    #endif
  }
}
