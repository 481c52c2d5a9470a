import Foundation
import XCTest

/// Checks that the article “Defaults at a glance” lists every default of a public function, and no
/// other.
final class DefaultsPageTests: XCTestCase {
  private static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Types that only tests and other parts of Strata create.
  private static let inner: Set = [
    "manual", "Outcome", "CacheEvent", "NetworkResponse", "NetworkError", "Hop", "Reason",
  ]

  /// The page's rows: the function with its parameter, and the default.
  private func rows() throws -> Set<String> {
    let page = Self.package.appendingPathComponent("Sources")
    let paths =
      FileManager.default.enumerator(atPath: page.path)?.compactMap { $0 as? String } ?? []
    let path = try XCTUnwrap(paths.first { $0.hasSuffix("/DefaultsAtAGlance.md") })
    let text = try String(contentsOf: page.appendingPathComponent(path), encoding: .utf8)
    return Set(
      text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
        line.split(separator: "|").prefix(2)
          .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " `")) }
          .joined(separator: " = ")
      })
  }

  /// The defaults of the sources, in the form of the page's rows.
  private func defaults() throws -> Set<String> {
    let sources = Self.package.appendingPathComponent("Sources")
    let paths =
      FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String } ?? []
    var found: Set<String> = []
    for path in paths where path.hasPrefix("Strata") && path.hasSuffix(".swift") {
      if path.hasPrefix("StrataLaws/") || path.contains(".docc/") { continue }
      let text = try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
      for row in Self.defaults(in: text) { found.insert(row) }
    }
    return found
  }

  /// Returns the defaults of the public functions in a source file. Every clock's default is the
  /// system's clock or the cache's, so clocks have no rows.
  static func defaults(in text: String) -> [String] {
    let text = text.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.drop(while: { $0 == " " }).hasPrefix("//") }.joined(separator: "\n")
    let type =
      #/^ *(?:public |package |@\w+ )*(?:final )?(?:extension|struct|class|enum) (?<type>[\w.]+)/#
      .anchorsMatchLineEndings()
    let function =
      #/^ *public (?:nonisolated\(nonsending\) |static |convenience )*(?:func (?<name>\w+)|init)[^(\n]*\(/#
      .anchorsMatchLineEndings()
    let types = text.matches(of: type).map { ($0.range.lowerBound, String($0.output.type)) }
    return text.matches(of: function).flatMap { match -> [String] in
      let before = text[..<match.range.lowerBound]
      let attributes = before.suffix(from: before.lastIndex(of: "}") ?? before.startIndex)
      if attributes.contains("unavailable") { return [] }
      let owner = types.last { $0.0 < match.range.lowerBound }?.1 ?? ""
      let name = match.output.name.map(String.init) ?? owner
      if inner.contains(name) || inner.contains(owner) { return [] }
      return parameters(text[match.range.upperBound...]).compactMap { parameter in
        guard let equals = parameter.firstRange(of: " = ") else { return nil }
        let label = parameter.prefix { !" :".contains($0) }
        guard label != "clock" else { return nil }
        return "\(name)(\(label):) = \(parameter[equals.upperBound...])"
      }
    }
  }

  /// Returns the parameters of a function, without line breaks.
  private static func parameters(_ text: Substring) -> [String] {
    var (parts, depth) = ([""], 1)
    for character in text {
      let last = parts.last?.last ?? " "
      if "([{".contains(character) || character == "<" && last.isLetter { depth += 1 }
      if ")]}".contains(character) || character == ">" && last != "-" && last != " " { depth -= 1 }
      if depth == 0 { break }
      if character == ",", depth == 1 {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
  }

  func testThePageListsEveryDefault() throws {
    let (rows, defaults) = (try rows(), try defaults())
    XCTAssertGreaterThan(defaults.count, 80)
    XCTAssertEqual(defaults.subtracting(rows).sorted(), [], "Add rows to DefaultsAtAGlance.md.")
    XCTAssertEqual(rows.subtracting(defaults).sorted(), [], "Remove rows of DefaultsAtAGlance.md.")
  }

  func testDefaultsAreFoundInDeclarations() {
    let text = """
      extension Cache {
        /// A comment with a = b.
        public static func memory<Plain>(
          capacity: Int = 64 << 20, cost: Cost<Value>, clock: TimeSource = .system,
          _ body: @escaping (Int, Int) -> Bool = { _, _ in false }
        ) -> Cache {}
        func hidden(a: Int = 1) {}
      }
      public struct Server {
        public init(_ name: String = "a") {}
        public convenience init(size: Int = 2) {}
      }
      """
    XCTAssertEqual(
      Self.defaults(in: text),
      [
        "memory(capacity:) = 64 << 20", "memory(_:) = { _, _ in false }", "Server(_:) = \"a\"",
        "Server(size:) = 2",
      ])
  }
}
