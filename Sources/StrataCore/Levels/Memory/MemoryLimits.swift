/// The maximum total size and the maximum number of values of a memory level.
///
/// The policy knows one limit, that of the total cost. So if the size and the number are both
/// limited, each value costs at least its share of the size.
struct MemoryLimits: Equatable, Sendable {
  /// The maximum total size, or `nil` if only the number is limited.
  var size: Int?
  /// The maximum number of values, or `nil` if only the size is limited.
  var count: Int?

  /// The minimum cost of a value.
  var share: Int {
    guard let size, let count, count > 0 else { return 1 }
    return max(1, size / count)
  }

  /// The maximum total cost. It's the maximum size, unless one value more than `count` would fit.
  var cost: Int {
    guard let size, let count else { return max(0, size ?? count ?? 0) }
    guard size > 0, count > 0 else { return 0 }
    return size < count || size % count < share ? size : share * count
  }
}
