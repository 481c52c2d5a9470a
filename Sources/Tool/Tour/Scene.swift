import Foundation
import Strata

/// The origin, directory, and pipelines that the steps of the tour share.
struct Scene: Sendable {
  let origin: Origin
  let pages: Pages
  let directory: URL
  let events: EventLog
  /// Counts the events of all pipelines.
  let statistics: CacheStatistics
  /// The pipeline that most steps use.
  let cache: Cache<URL, String>
  /// The pipelines for the steps about expired and stale values.
  let aged: AgedPipelines

  init(origin: Origin, pages: Pages, directory: URL) {
    let (events, statistics) = (EventLog(), CacheStatistics())
    (self.origin, self.pages, self.directory) = (origin, pages, directory)
    (self.events, self.statistics) = (events, statistics)
    let observer = events.observer + statistics.observer
    cache = Pipeline(in: directory, observer: observer).cache
    aged = AgedPipelines(in: directory, observer: observer)
  }

  /// Returns a new pipeline with an empty memory level and the same directory as the other
  /// pipelines.
  func other(_ codec: Codec<Data, String> = .utf8) -> Cache<URL, String> {
    Pipeline(in: directory, codec: codec, observer: events.observer + statistics.observer).cache
  }

  /// Gets a page and checks that it matches the origin's page.
  func get(_ path: String, through other: Cache<URL, String>? = nil) async throws {
    let text = try await (other ?? cache).value(for: origin.url(path))
    try expect(text == pages[path], "the text of \(path) differs from the origin's text")
  }
}

/// The error for a step that violates an expectation.
struct StepFailure: Error, CustomStringConvertible {
  let description: String
}

/// Checks an expectation.
func expect(_ isTrue: Bool, _ otherwise: @autoclosure () -> String) throws {
  guard isTrue else { throw StepFailure(description: otherwise()) }
}
