/// What was asked of the heap between two moments, by all threads.
struct HeapCount: Equatable, Sendable {
  /// Calls that gave out memory: malloc, calloc, realloc and those with an alignment.
  var allocations = 0
  /// The bytes those calls asked for.
  var bytes = 0
  /// The bytes in use that have been added, as the allocator rounds them up; negative if fewer.
  var growth = 0
}

/// Counts what the process asks of the heap, where that can be had.
enum Heap {
  /// Why nothing is counted here; `nil` where it is.
  static var obstacle: String? {
    #if os(Linux) && canImport(Glibc)
      HeapHooks.shared == nil ? "the loaded objects of this process cannot be read" : nil
    #else
      "the heap is counted on Linux with glibc alone"
    #endif
  }

  /// Runs `body`, and counts until it returns; `nil` where the heap cannot be counted.
  ///
  /// What other threads do meanwhile counts as well. Not to be nested.
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
