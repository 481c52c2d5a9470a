import Foundation
import Strata

/// A pipeline that is explained.
struct ExplainSubject: Sendable {
  let name: String
  let plan: @Sendable () throws -> CachePlan

  /// The pipelines of the tour, and the one that the README begins with.
  static let all = [
    ExplainSubject("tour") { Pipeline(in: folder).cache.plan },
    ExplainSubject("tour-observed") {
      Pipeline(in: folder, observer: CacheObserver { _ in }).cache.plan
    },
    ExplainSubject("tour-versioned") {
      Pipeline(in: folder, codec: .versioned(2, .utf8)).cache.plan
    },
    ExplainSubject("headline") {
      let articles: Cache<URL, Article> =
        .memory()
        + (\.absoluteString <^> .disk("articles", in: folder) <*> .json() + .network() <*> .json())
        .pooled()
      return articles.plan
    },
  ]

  static var names: [String] { all.map(\.name) }

  /// What is read from standard input.
  static let input = ExplainSubject("-") {
    guard let text = String(bytes: try StandardStreams.input(), encoding: .utf8) else {
      throw FileFault("standard input is not UTF-8")
    }
    return try CachePlan(json: text)
  }

  private init(_ name: String, _ plan: @escaping @Sendable () throws -> CachePlan) {
    self.name = name
    self.plan = plan
  }

  /// A plan asks no level, so nothing is ever stored there.
  private static var folder: URL { FileManager.default.temporaryDirectory }
}

/// What the README's first example keeps.
private struct Article: Codable, Sendable {
  let title: String
}
