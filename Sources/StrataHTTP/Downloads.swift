import Foundation
import StrataDisk
import StrataNetwork

extension Cache where Key == URL, Value == URL {
  /// Returns an origin that downloads URLs into the files of a storage.
  ///
  ///     let storage = FileStorage("episodes", capacity: 2_000_000_000)
  ///     let episodes = .files(storage)
  ///       + Fetcher.downloads(into: storage).limited(toConcurrentGets: 4).pooled()
  ///     let file = try await episodes.value(for: url)  // of the whole body
  ///
  /// A body goes from the network to its file in pieces of at most a few megabytes. An error, a
  /// cancellation, or the end of the process can interrupt the download. Then the next get of the
  /// URL continues it, even in another process. This get requests the missing bytes on the
  /// condition that the resource hasn't changed (`Range` and `If-Range`), so the file never mixes
  /// two versions.
  ///
  /// A download can continue only if the origin announces its length and identifies its version.
  /// For this, the response needs a strong `ETag`, or a `Last-Modified` at least a second before
  /// its `Date`. Otherwise, the download begins again. It also begins again if the origin has
  /// another version, or doesn't send the missing part. Bodies are requested without a content
  /// coding.
  ///
  /// Every get loads, so put `.files(storage)` above. A second get of a URL waits for the first
  /// one, also in another process, and returns its file. If the value is set or removed meanwhile,
  /// the download fails. The storage keeps no request fields, so users who see different resources
  /// at one URL need storages of their own.
  ///
  /// - Parameters:
  ///   - storage: The storage of the files. A body that is longer than its capacity isn't loaded.
  ///   - session: The network session that sends the requests.
  ///   - timeout: The longest wait for the header, and after that for the next bytes of the body.
  ///     By default, it's 60 s. The whole download may take any time.
  ///   - clock: The clock that measures the timeout. The default is the system clock.
  /// - Returns: A fetcher whose failures are `NetworkError` and `DiskError` values. When the volume
  ///   is full, the bytes that have arrived stay, and the next get continues. Each download that
  ///   runs takes a thread, so limit their number with `limited(toConcurrentGets:)`.
  /// - Law: After any interruptions, a download's file has the bytes of one version. See
  ///   `DownloadTests`.
  public static func downloads(
    into storage: FileStorage, session: NetworkSession = .shared,
    timeout: Duration = .seconds(60), clock: TimeSource = .system
  ) -> Cache {
    let responses: Cache<URLRequest, NetworkResponse> = .responses(
      session: session, maximumSize: 64 << 10, deadline: timeout, clock: clock
    ) { _, response in response.status == 200 || response.status == 206 }
    let directory = storage.directory
    return Fetcher(
      get: { url in
        Promise { continuation in
          let download = Download(
            url, into: directory, from: responses, timeout: timeout, clock: clock)
          continuation.onCancel { download.cancel() }
          Download.queue.async {
            do {
              continuation.succeed(try download.run())
            } catch { continuation.fail(error) }
          }
        }
      }, plan: .level("downloads", .origin))
  }
}
