import CoreGraphics
import Foundation
import Strata
import Synchronization
import XCTest

/// Tests the model of the example app in `Playgrounds/Photos`.
final class PhotoLibraryTests: XCTestCase {
  private let urls = (0..<20).compactMap { URL(string: "https://example.com/\($0)") }

  @MainActor
  func testARowShowsItsImageAndTheNextRowsAreLoadedAhead() async throws {
    let image = CGImage(standInWidth: 4, height: 2)
    let memory = Cache<URL, CGImage>.memory()
    let origin = Fetcher<URL, CGImage> { _ in Promise(image) }
    let library = PhotoLibrary(urls: urls, cache: memory + origin)
    await library.show(urls[2])
    guard case .shown? = library.photos[urls[2]] else { return XCTFail("no image") }
    let last = urls[2 + PhotoLibrary.lookahead]
    while memory.get(last).outcome?.value == nil { await Task.yield() }
    XCTAssertNil(memory.get(urls[3 + PhotoLibrary.lookahead]).outcome?.value)
    XCTAssertNil(library.photos[last])
  }

  @MainActor
  func testARowThatLeavesTheScreenStopsItsLoadAndReleasesItsImage() async throws {
    let (begun, stopped) = (expectation(description: "begun"), expectation(description: "stopped"))
    let held = Held<Promise<CGImage>.Continuation>()
    let origin = Fetcher<URL, CGImage> { _ in
      Promise { (continuation: Promise<CGImage>.Continuation) in
        held.hold(continuation)  // Releasing the continuation would make the load fail.
        continuation.onCancel { stopped.fulfill() }
        begun.fulfill()
      }
    }
    let library = PhotoLibrary(urls: urls, cache: .memory() + origin.pooled())
    let row = Task { await library.show(urls[0]) }
    await fulfillment(of: [begun], timeout: 60)
    row.cancel()
    await row.value
    library.hide(urls[0])
    await fulfillment(of: [stopped], timeout: 60)
    XCTAssertTrue(library.photos.isEmpty)
    withExtendedLifetime(held) {}
  }

  @MainActor
  func testAPhotoThatNoLevelHasIsMissing() async {
    let library = PhotoLibrary(urls: urls, cache: .memory(), isOffline: true)
    await library.show(urls[0])
    guard case .missing? = library.photos[urls[0]] else { return XCTFail("not missing") }
  }
}

private final class Held<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  func hold(_ value: Value) { values.withLock { $0.append(value) } }
}
