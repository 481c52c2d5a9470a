import Foundation
import StrataNetwork

/// The order of the operations of all HTTP caches in this process that store their responses in the
/// same place, such as two caches over one directory.
final class StoreActivity: Sendable {
  private static let known = SharedByName()

  /// Tells which requests to the origin a write has overtaken.
  let requests = Lock(KeyVersions())
  /// Orders the writes to the store.
  let writes = KeyedQueue()
  /// Retained, so that no other storage can get the same identity.
  private let storage: any AnyObject & Sendable

  private init(_ storage: any AnyObject & Sendable) { self.storage = storage }

  /// Returns the activity of a store. Caches over the same values share it.
  static func of(_ store: Cache<String, Data>) -> StoreActivity {
    guard let storage = store.source.storage else { return StoreActivity(SharedByNothing()) }
    return known.object(
      named: "\(UInt(bitPattern: ObjectIdentifier(storage)))", orElse: StoreActivity(storage))
  }
}

/// The storage of a cache that has none.
private final class SharedByNothing: Sendable {}
