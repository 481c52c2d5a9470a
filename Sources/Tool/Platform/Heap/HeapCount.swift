/// The heap usage of all threads during an interval.
struct HeapCount: Equatable, Sendable {
  /// The number of allocations by malloc, calloc, realloc, and the aligned variants.
  var allocations = 0
  /// The requested bytes.
  var bytes = 0
  /// The change in the number of bytes in use, as rounded up by the allocator.
  var growth = 0
}

/// A counter of heap usage, on systems that support it.
enum Heap {
  /// The reason why counting isn't supported, or `nil`.
  static var obstacle: String? {
    #if os(Linux) && canImport(Glibc)
      HeapHooks.shared == nil ? "the loaded objects of this process cannot be read" : nil
    #else
      "heap counting needs Linux with glibc"
    #endif
  }

  /// Runs `body` and returns its heap usage, or `nil` if counting isn't supported.
  ///
  /// Includes the usage of other threads. Calls must not be nested.
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
