#if canImport(Darwin)
  import Foundation

  /// Downloads files into a cache. While the app is suspended, the system continues them.
  ///
  /// A network level loads a value only when a caller requests it. This class loads values in
  /// advance, for example before a flight. When the app starts, create one object for each session
  /// identifier. Then the system can deliver the downloads that an earlier run of the app has
  /// started.
  ///
  ///     let store: Cache<URL, Data> = \.absoluteString <^> .disk("photos")
  ///     let downloads = BackgroundDownloads("com.example.app.photos", into: store)
  ///     downloads.load([url])
  public final class BackgroundDownloads: NSObject, URLSessionDownloadDelegate {
    private struct State {
      var pending = 0
      var isFinished = false
      var handler: (@MainActor () -> Void)?
    }

    private let cache: Cache<URL, Data>
    private let maximumSize: Int
    private let state = Lock(State())
    private let session = Lock<URLSession?>(nil)

    /// Creates the background session for an identifier.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the session. Two objects in one process must not use
    ///     the same identifier.
    ///   - cache: The cache that stores the bytes of each complete, successful response under the
    ///     URL of the request.
    ///   - maximumSize: The maximum size of a file in bytes. By default, it's 64 MiB. Larger files
    ///     are dropped.
    ///   - isDiscretionary: Whether the system waits for good conditions, such as Wi-Fi and power.
    ///     The default is `true`.
    ///   - usesLowData: Whether downloads also run in Low Data Mode. The default is `false`.
    public init(
      _ identifier: String, into cache: Cache<URL, Data>, maximumSize: Int = 64 << 20,
      isDiscretionary: Bool = true, usesLowData: Bool = false
    ) {
      (self.cache, self.maximumSize) = (cache, maximumSize)
      super.init()
      let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
      configuration.isDiscretionary = isDiscretionary
      configuration.allowsConstrainedNetworkAccess = usesLowData
      let new = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
      session.withLock { $0 = new }
    }

    /// Starts a download of each URL that isn't already being downloaded.
    ///
    /// - Parameter urls: The URLs to download. The function doesn't read the cache, so pass only
    ///   URLs for which `findValue(for:)` returns `nil`.
    public func load(_ urls: [URL]) {
      guard let session = session.withLock({ $0 }) else { return }
      session.getAllTasks { tasks in
        var known = Set(tasks.compactMap { $0.originalRequest?.url })
        for url in urls where known.insert(url).inserted {
          session.downloadTask(with: url).resume()
        }
      }
    }

    /// Sets the handler that the system gives to your app delegate, in
    /// `application(_:handleEventsForBackgroundURLSession:completionHandler:)`.
    ///
    /// - Parameter handler: The completion handler. It's called once, on the main thread, when the
    ///   system has delivered all finished downloads and the cache has stored them.
    @MainActor
    public func whenFinished(_ handler: @escaping () -> Void) {
      change { $0.handler = { handler() } }
    }

    /// Changes the state. Then calls the handler if all events have arrived and all writes have
    /// settled.
    private func change(_ body: (inout State) -> Void) {
      let handler = state.withLock { state -> (@MainActor () -> Void)? in
        body(&state)
        guard state.isFinished, state.pending == 0 else { return nil }
        return state.handler.take()
      }
      if let handler { DispatchQueue.main.async { handler() } }
    }

    /// Stores a complete, successful response.
    public func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask,
      didFinishDownloadingTo location: URL
    ) {
      store(location, from: downloadTask.originalRequest?.url, downloadTask.response)
    }

    /// Stores the file of a complete, successful response. Reads it before returning, because the
    /// system then removes it.
    func store(_ file: URL, from url: URL?, _ response: URLResponse?) {
      guard let url, (response as? HTTPURLResponse)?.statusCode == 200,
        let size = (try? FileManager.default.attributesOfItem(atPath: file.path))?[.size] as? Int,
        size <= maximumSize, let data = try? Data(contentsOf: file)
      else { return }
      change { state in
        state.pending += 1
        state.isFinished = false
      }
      cache.set(url, data).onCompletion { _ in self.change { $0.pending -= 1 } }
    }

    /// Does nothing, because a failed download has no file to store.
    public func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {}

    /// Records that the system has delivered all events of the downloads that finished while the
    /// app was suspended.
    public func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
      change { $0.isFinished = true }
    }
  }
#endif
