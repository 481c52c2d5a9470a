import Synchronization

/// A generator of numbers that are unique among all samples of a benchmark case.
final class Counter: Sendable {
  private let next = Atomic(0)

  /// Reserves `count` consecutive numbers and returns the first number.
  func take(_ count: Int) -> Int { next.wrappingAdd(count, ordering: .relaxed).oldValue }

  var value: Int { next.load(ordering: .relaxed) }
}
