import Foundation
import Strata
import XCTest

/// The base class of tests that quote statements of the README and the articles, and check that the
/// statements are true.
///
/// A test quotes a statement and then checks that the statement is true. The test fails if the
/// document no longer contains the quotation. If you change a statement in a document, also change
/// the test that quotes it.
class StatementCase: XCTestCase {
  static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  func text(of path: String) throws -> String {
    try String(contentsOf: Self.package.appendingPathComponent(path), encoding: .utf8)
  }

  /// The path of a document: the README, or an article in the documentation of any library.
  private func path(of document: String) throws -> String {
    if document == "README" { return "README.md" }
    let sources = Self.package.appendingPathComponent("Sources")
    let paths =
      FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String } ?? []
    let path = try XCTUnwrap(paths.first { $0.hasSuffix(".docc/\(document).md") }, document)
    return "Sources/\(path)"
  }

  /// Fails if the document doesn't contain the given statement. Line breaks count as spaces.
  func expect(
    _ document: String, states statement: String, file: StaticString = #filePath, line: UInt = #line
  ) throws {
    let path = try path(of: document)
    let words = try text(of: path).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    XCTAssertTrue(
      words.contains(statement), "\(path) doesn't state: \(statement)", file: file, line: line)
  }

  let memory: Cache<String, String> = .memory()
  let below: Cache<String, String> = .dictionary()
  let missing = Cache<String, String>.failing(CacheError.notFound)

  /// Returns the outcome of a promise that has settled.
  func ended<Value>(_ promise: Promise<Value>) throws -> Promise<Value>.Outcome {
    try XCTUnwrap(promise.outcome)
  }
}
