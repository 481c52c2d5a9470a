import Foundation
import Strata
import StrataExplain

/// A pipeline that the `explain` command can show.
struct ExplainSubject: Sendable {
  let name: String
  let plan: @Sendable () throws -> CachePlan

  /// The pipelines of the tour, and the first pipeline in the README.
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
        (.memory() + \.absoluteString <^> .disk("articles", in: folder) <*> .stamped(.json()))
        .expiring(after: .seconds(3600)) + (.network() <*> .json()).pooled()
      return articles.plan
    },
  ]

  static var names: [String] { all.map(\.name) }

  /// The plan that is read from standard input.
  static let input = ExplainSubject("-") {
    let bytes = Array(try StandardStreams.input()).withoutByteOrderMark
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw FileFault("standard input is not UTF-8")
    }
    return try CachePlan(json: text)
  }

  private init(_ name: String, _ plan: @escaping @Sendable () throws -> CachePlan) {
    self.name = name
    self.plan = plan
  }

  /// Since printing a plan calls no level, no file appears in this directory.
  private static var folder: URL { FileManager.default.temporaryDirectory }
}

/// The value type of the README's first example.
private struct Article: Codable, Sendable {
  let title: String
}
