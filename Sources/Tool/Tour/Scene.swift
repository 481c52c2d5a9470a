import Foundation
import Strata

/// What the steps of the tour share: an origin, a directory, and a pipeline over both.
struct Scene: Sendable {
  let origin: Origin
  let pages: Pages
  let directory: URL
  let watch: Watch
  /// The pipeline of most steps.
  let cache: Cache<URL, String>
  /// The pipelines of the steps about age.
  let aged: AgedPipelines

  init(origin: Origin, pages: Pages, directory: URL) {
    let watch = Watch()
    (self.origin, self.pages, self.directory, self.watch) = (origin, pages, directory, watch)
    cache = Pipeline(in: directory, observer: watch.observer).cache
    aged = AgedPipelines(in: directory, observer: watch.observer)
  }

  /// Another pipeline over the same directory, with an empty memory.
  func other(_ codec: Codec<Data, String> = .utf8) -> Cache<URL, String> {
    Pipeline(in: directory, codec: codec, observer: watch.observer).cache
  }

  /// Gets a page, and checks that it is the page that the origin has.
  func get(_ path: String, through other: Cache<URL, String>? = nil) async throws {
    let text = try await (other ?? cache).value(for: origin.url(path))
    try expect(text == pages[path], "the text of \(path) is not what the origin has")
  }
}

/// A law that was broken.
struct Broken: Error, CustomStringConvertible {
  let description: String
}

/// Checks a statement about what happened.
func expect(_ isTrue: Bool, _ otherwise: @autoclosure () -> String) throws {
  guard isTrue else { throw Broken(description: otherwise()) }
}
