#if canImport(ImageIO)
  import Foundation
  import ImageIO
  import StrataApple
  import StrataDisk
  import StrataNetwork

  extension CachePresets {
    /// A cache that the whole program can share, created with the default arguments of
    /// ``image(_:in:longestSide:memoryCapacity:diskCapacity:session:offMainThread:offline:)``.
    public static let sharedImage = image()

    /// Creates a cache of images with URLs as keys. Memory stores the decoded images, and the disk
    /// stores the unmodified responses.
    ///
    /// Its values are `CGImage`s, which are immutable and `Sendable`, unlike `NSImage`. To show a
    /// `CGImage`, use `UIImage(cgImage:)` or SwiftUI's `Image(decorative:scale:)`.
    ///
    ///     let photos = CachePresets.image(longestSide: 600)
    ///
    /// - Parameters:
    ///   - name: The name of the disk level's directory. The default is `http`.
    ///   - directory: The file URL of the parent directory. The default is `Strata` in the user's
    ///     caches directory.
    ///   - longestSide: The maximum length of each image's longer side, in pixels. By default,
    ///     images are decoded at full size.
    ///   - memoryCapacity: The capacity of the memory level in bytes. For a decoded image, each
    ///     pixel takes four bytes. The default is 64 MiB.
    ///   - diskCapacity: The capacity of the disk level in bytes. The default is 100 MB.
    ///   - session: The network session whose connections the cache uses.
    ///   - offMainThread: Whether the disk level and the decoder run off the main thread. The
    ///     default is `true`.
    ///   - offline: Returns whether a URL is unreachable, for example because the device is
    ///     offline. If it returns `true`, the cache sends no request, and returns a stored
    ///     response, even a stale one unless the origin forbids it. Without a usable response, the
    ///     get is a miss. The cache calls this closure only if it has no fresh value, and may call
    ///     it twice for one get.
    public static func image(
      _ name: String = "http", in directory: URL? = nil, longestSide: Int = .max,
      memoryCapacity: Int = 64 << 20, diskCapacity: Int = 100_000_000,
      session: NetworkSession = .shared, offMainThread: Bool = true,
      offline: @escaping @Sendable (URL) -> Bool = { _ in false }
    ) -> Cache<URL, CGImage> {
      pipeline(
        .image(longestSide: longestSide),
        .memory(
          capacity: .bytes(memoryCapacity) { 4 * $0.value.width * $0.value.height },
          clock: .system),
        http(
          .disk(name, in: directory, capacity: diskCapacity, offMainThread: offMainThread), session,
          offline))
    }
  }
#endif
