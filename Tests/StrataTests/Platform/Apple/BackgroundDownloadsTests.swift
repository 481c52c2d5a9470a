#if canImport(Darwin)
  import Foundation
  import Strata
  import XCTest

  final class BackgroundDownloadsTests: XCTestCase {
    private final class Download: URLSessionDownloadTask, @unchecked Sendable {
      let status: Int

      init(_ status: Int) { self.status = status }

      private let url = URL(string: "https://example.com/a")!
      override var originalRequest: URLRequest? { URLRequest(url: url) }
      override var response: URLResponse? {
        get { HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil) }
        set {}
      }
    }

    private let cache: Cache<URL, Data> = .dictionary()
    private let url = URL(string: "https://example.com/a")!
    private var file = URL(fileURLWithPath: "/")

    override func setUpWithError() throws {
      file = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(UUID().uuidString)
      try Data("photo".utf8).write(to: file)
    }

    override func tearDown() { try? FileManager.default.removeItem(at: file) }

    private func deliver(status: Int, maximumSize: Int = 1_000) -> Data? {
      let downloads = BackgroundDownloads(
        "strata.tests.\(UUID().uuidString)", into: cache, maximumSize: maximumSize)
      let session = URLSession(configuration: .ephemeral, delegate: downloads, delegateQueue: nil)
      defer { session.finishTasksAndInvalidate() }
      downloads.urlSession(session, downloadTask: Download(status), didFinishDownloadingTo: file)
      return cache.get(url).outcome?.value
    }

    func testACompleteSuccessIsStored() {
      XCTAssertEqual(deliver(status: 200), Data("photo".utf8))
    }

    func testAnyOtherStatusIsNotStored() {
      for status in [204, 206, 404, 500] { XCTAssertNil(deliver(status: status)) }
    }

    func testALargerFileIsNotStored() {
      XCTAssertNil(deliver(status: 200, maximumSize: 4))
    }

    func testTheHandlerIsCalledOnceWhenEverythingIsStored() async {
      let downloads = BackgroundDownloads("strata.tests.\(UUID().uuidString)", into: cache)
      let session = URLSession(configuration: .ephemeral, delegate: downloads, delegateQueue: nil)
      defer { session.finishTasksAndInvalidate() }
      await withCheckedContinuation { continuation in
        downloads.whenFinished { continuation.resume() }
        downloads.urlSession(session, downloadTask: Download(200), didFinishDownloadingTo: file)
        downloads.urlSessionDidFinishEvents(forBackgroundURLSession: session)
      }
      XCTAssertNotNil(cache.get(url).outcome?.value)
    }
  }
#endif
