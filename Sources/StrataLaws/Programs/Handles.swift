import StrataVerbs

/// Two handles of one cache, which the steps of a program use in turn. When the state of a verb
/// wrongly belongs to one handle, the two get different answers.
struct Handles<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let first: Cache<Key, Value>
  private let second: Cache<Key, Value>

  /// - Parameter isShared: Whether a program uses the second handle.
  init(_ cache: Cache<Key, Value>, isShared: Bool = true) {
    (first, second) = (cache, isShared ? cache.observed { _ in } : cache)
  }

  /// The handle for the step at an index.
  subscript(step: Int) -> Cache<Key, Value> { step.isMultiple(of: 2) ? first : second }
}
