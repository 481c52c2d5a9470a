import Synchronization

/// The number of changes so far that concern keys which nobody can list, such as the removal of a
/// tag.
///
/// A write to a key reaches every pool that may share a load of the key. The removal of a tag can't,
/// because the keys with that tag aren't known. So it begins a new epoch, and a pool lets no get join
/// a load that began in an earlier one. That costs one more load for each key that is being loaded.
package enum LoadEpoch {
  private static let number = Atomic<UInt64>(0)

  package static var current: UInt64 { number.load(ordering: .acquiring) }

  package static func begin() { number.wrappingAdd(1, ordering: .acquiringAndReleasing) }
}
