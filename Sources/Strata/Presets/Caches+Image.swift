import Foundation

#if canImport(UIKit)
  import UIKit

  extension Caches {
    /// The cache of ``image(_:in:memoryCapacity:diskCapacity:session:offline:)`` that all share.
    public static let sharedImage = image()

    /// Makes a cache of images by their URL, kept decoded in memory; capacities in bytes.
    public static func image(
      _ name: String = "default", in directory: URL? = nil, memoryCapacity: Int = 64 << 20,
      diskCapacity: Int = 100_000_000, session: NetworkSession = .shared,
      offline: (@Sendable (URL) throws -> Bool)? = nil
    ) -> Cache<URL, UIImage> {
      decoded(
        .image, above: .disk(name, in: directory, capacity: diskCapacity),
        network(session, offline), memory: .memory(capacity: memoryCapacity, cost: .pixels))
    }
  }
#elseif canImport(AppKit)
  import AppKit

  extension Caches {
    /// The cache of ``image(_:in:memoryCapacity:diskCapacity:session:offline:)`` that all share.
    public static let sharedImage = image()

    /// Makes a cache of images by their URL, kept decoded in memory; capacities in bytes.
    public static func image(
      _ name: String = "default", in directory: URL? = nil, memoryCapacity: Int = 64 << 20,
      diskCapacity: Int = 100_000_000, session: NetworkSession = .shared,
      offline: (@Sendable (URL) throws -> Bool)? = nil
    ) -> Cache<URL, NSImage> {
      decoded(
        .image, above: .disk(name, in: directory, capacity: diskCapacity),
        network(session, offline),
        memory: .memory(
          capacity: memoryCapacity, cost: .pixels { (Int($0.size.width), Int($0.size.height)) }))
    }
  }
#endif
