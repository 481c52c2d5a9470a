import CoreGraphics
import Foundation
import Observation
import Strata
import StrataHTTP

/// An ordered list of photos, and the images of the rows that are on the screen.
///
/// The cache's memory level stores decoded images, so the library itself retains only the images of
/// the visible rows.
@MainActor @Observable
final class PhotoLibrary {
  /// The state of a row.
  enum Photo {
    case loading
    case shown(CGImage)
    case missing
  }

  let urls: [URL]
  /// Whether to use only stored images, without the network.
  let isOffline: Bool
  private(set) var photos: [URL: Photo] = [:]
  @ObservationIgnored private let cache: Cache<URL, CGImage>
  @ObservationIgnored private var prefetches: [URL: Task<Void, Never>] = [:]

  /// When a row appears, the library prefetches the photos of this many following rows.
  static let lookahead = 5

  init(urls: [URL], cache: Cache<URL, CGImage>, isOffline: Bool = false) {
    (self.urls, self.cache, self.isOffline) = (urls, cache, isOffline)
  }

  /// Creates a library that decodes images at a size that fits a row.
  convenience init(urls: [URL], isOffline: Bool = false) {
    let cache = CachePresets.image("photos", longestSide: 1_200, offline: { _ in isOffline })
    self.init(urls: urls, cache: cache, isOffline: isOffline)
  }

  /// Loads the photo of a row, and then prefetches the photos of the next rows.
  ///
  /// SwiftUI cancels the row's task when the row leaves the screen. The download then stops, unless
  /// a prefetch or another row also waits for the image.
  func show(_ url: URL) async {
    if photos[url] == nil { photos[url] = .loading }
    do {
      let image = try await cache.value(for: url)
      photos[url] = .shown(image)
    } catch is CancellationError {
      return
    } catch {
      photos[url] = .missing
    }
    prefetch(after: url)
  }

  /// Releases the image of a row that has left the screen, and cancels the row's prefetch.
  func hide(_ url: URL) {
    photos[url] = nil
    prefetches.removeValue(forKey: url)?.cancel()
  }

  private func prefetch(after url: URL) {
    guard let index = urls.firstIndex(of: url) else { return }
    let wanted = urls[(index + 1)...].prefix(Self.lookahead)
    for (url, task) in prefetches where !wanted.contains(url) {
      task.cancel()
      prefetches[url] = nil
    }
    for url in wanted where prefetches[url] == nil && photos[url] == nil {
      prefetches[url] = Task { [cache] in _ = try? await cache.value(for: url) }
    }
  }
}
