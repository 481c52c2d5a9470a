import Foundation
import StrataNetwork

/// What the HTTP caches of a process share if they store their responses in the same place, such as
/// one directory. This object keeps the operations of these caches in order.
final class StoreActivity: Sendable {
  private static let known = SharedByName()

  /// Records which requests to the origin were overtaken by a write.
  let requests = Lock(KeyVersions())
  /// Orders the writes to the store.
  let writes = KeyedQueue()
  /// Retains the storage, so no other storage can get the same identity while this object lives.
  private let storage: any AnyObject & Sendable

  private init(_ storage: any AnyObject & Sendable) { self.storage = storage }

  /// Returns the activity of a store. Caches over the same storage share one activity.
  static func of(_ store: Cache<String, Data>) -> StoreActivity {
    guard let storage = store.source.storage else { return StoreActivity(SharedByNothing()) }
    return known.object(
      named: "\(UInt(bitPattern: ObjectIdentifier(storage)))", orElse: StoreActivity(storage))
  }
}

/// A placeholder for the storage of a cache that shares its values with no other cache.
private final class SharedByNothing: Sendable {}
