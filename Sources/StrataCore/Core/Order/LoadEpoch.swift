import Synchronization

/// The number of changes so far whose keys are unknown, such as removals of a tag.
///
/// A write to a key reaches every pool that may share a load of the key. But the removal of a tag
/// can't do so, because the keys with this tag are unknown. Instead, it begins a new epoch. In a
/// pool, a get never joins a load that began in an earlier epoch. This costs one more load for each
/// key that is being loaded.
@usableFromInline
package enum LoadEpoch {
  private static let number = Atomic<UInt64>(0)
  private static let fills = Atomic<UInt64>(0)

  package static var current: UInt64 { number.load(ordering: .acquiring) }

  /// The number of removals by a condition on keys. Gets that began before the last removal store
  /// nothing in upper levels.
  @usableFromInline static var ofFills: UInt64 { fills.load(ordering: .acquiring) }

  /// Begins a new epoch of loads, and of back-fills.
  static func beginWithFills() {
    begin()
    fills.wrappingAdd(1, ordering: .acquiringAndReleasing)
  }

  package static func begin() { number.wrappingAdd(1, ordering: .acquiringAndReleasing) }
}
