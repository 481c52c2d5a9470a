import Synchronization

/// Numbers that never come again, over all samples of a subject.
final class Counter: Sendable {
  private let next = Atomic(0)

  /// The first of so many numbers.
  func take(_ count: Int) -> Int { next.wrappingAdd(count, ordering: .relaxed).oldValue }

  var value: Int { next.load(ordering: .relaxed) }
}
