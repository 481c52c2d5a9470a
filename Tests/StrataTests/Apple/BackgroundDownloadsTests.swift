#if canImport(Darwin)
  import Foundation
  import XCTest

  @testable import StrataApple
  @testable import StrataCore

  final class BackgroundDownloadsTests: XCTestCase {
    private let cache: Cache<URL, Data> = .dictionary()
    private let url = URL(string: "https://example.com/a")!
    private var file = URL(fileURLWithPath: "/")

    override func setUpWithError() throws {
      file = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(UUID().uuidString)
      try Data("photo".utf8).write(to: file)
    }

    override func tearDown() { try? FileManager.default.removeItem(at: file) }

    private func response(_ status: Int) -> URLResponse? {
      HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil)
    }

    private func deliver(status: Int, maximumSize: Int = 1_000) -> Data? {
      let downloads = BackgroundDownloads(
        "strata.tests.\(UUID().uuidString)", into: cache, maximumSize: maximumSize)
      downloads.store(file, from: url, response(status))
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

    /// An app delegate has a method like this one. The method runs on the main actor and receives a
    /// closure that isn't `Sendable`.
    @MainActor
    private func application(
      _ downloads: BackgroundDownloads, completionHandler: @escaping () -> Void
    ) {
      downloads.whenFinished(completionHandler)
    }

    @MainActor
    func testTheHandlerIsCalledOnceWhenEverythingIsStored() async {
      let downloads = BackgroundDownloads("strata.tests.\(UUID().uuidString)", into: cache)
      let session = URLSession(configuration: .ephemeral, delegate: downloads, delegateQueue: nil)
      defer { session.finishTasksAndInvalidate() }
      await withCheckedContinuation { continuation in
        application(downloads) { continuation.resume() }
        downloads.store(file, from: url, response(200))
        downloads.urlSessionDidFinishEvents(forBackgroundURLSession: session)
      }
      XCTAssertNotNil(cache.get(url).outcome?.value)
    }
  }
#endif
