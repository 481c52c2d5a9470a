import Foundation

/// Where the values of a cache come from. Verbs and maps pass this information on, so a cache at
/// the top knows the storage or the origin at the bottom.
package struct CacheSource<Key: Hashable & Sendable>: Sendable {
  /// A function that returns the request that the origin sends for a key.
  package typealias Request = @Sendable (Key) -> Promise<SentRequest>

  /// The object that stores the values. Two caches with the same object share their values. This
  /// property is `nil` if the cache has no such object. Then only copies of the cache share its
  /// values.
  package var storage: (any AnyObject & Sendable)?
  /// Returns the request that the origin sends for a key, or `nil` if the keys aren't requests.
  package var request: Request?

  /// Creates a source. By default, it has neither a storage nor requests.
  package init(storage: (any AnyObject & Sendable)? = nil, request: Request? = nil) {
    (self.storage, self.request) = (storage, request)
  }

  /// Returns the source of a cache with other keys. If the type of the
  /// keys changes, the result has no `request`.
  func rekeyed<NewKey>() -> CacheSource<NewKey> {
    self as? CacheSource<NewKey> ?? CacheSource<NewKey>(storage: storage)
  }

  /// Returns the source of a cache whose keys are mapped to the keys of this source.
  package func mapKeys<NewKey>(
    _ transform: @escaping @Sendable (NewKey) -> Promise<Key>
  ) -> CacheSource<NewKey> {
    var result = CacheSource<NewKey>(storage: storage)
    if let request = request ?? (CacheSource<URLRequest>.unchanged as? CacheSource)?.request {
      result.request = { transform($0).flatMap(request) }
    }
    return result
  }
}

extension CacheSource where Key == URLRequest {
  /// The source of an origin that adds no header fields to a request.
  package static let unchanged = CacheSource(request: { Promise(SentRequest($0)) })
}

extension Cache {
  /// The source of the values. A cache without a storage object is its own storage. For a sum, the
  /// storage is the lowest level that stores all values, and the requests are those that the
  /// uppermost origin sends.
  package var source: CacheSource<Key> {
    var source = metadata.source
    var cache = self
    while let last = cache.metadata.members.last { cache = last.cache }
    if cache.metadata !== metadata {
      source.storage = cache.metadata.source.storage
      source.request = metadata.members.lazy.compactMap(\.cache.metadata.source.request).first
    }
    if source.storage == nil { source.storage = cache.metadata }
    return source
  }
}
