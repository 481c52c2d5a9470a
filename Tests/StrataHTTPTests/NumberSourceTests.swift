import Foundation
import XCTest

/// Checks of the sources: a number that a peer, a file, or a caller chooses is bounded where it
/// enters, so no arithmetic on it can overflow.
final class NumberSourceTests: XCTestCase {
  private let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")

  /// The files that convert numbers, and how they bound them. Each other file receives numbers only
  /// from these files, or counts what is in memory.
  private let converters = [
    "BodyLength": "refuses a length beyond Int",
    "ByteRange": "replaces a position above 2^62",
    "CurlExchange": "receives an idle timeout that the session bounds",
    "CurlLoop": "receives a count of events from the system",
    "CurlReactor": "receives an idle timeout that the session bounds",
    "DeltaSeconds": "replaces a number above 2^31",
    "HTTPDate": "receives a date of four-digit years or of an instant",
    "HTTPDateReader": "reads at most four digits",
    "HTTPSyntax": "reads a bit of a mask",
    "HeaderParser": "reads three digits",
    "Inflater": "counts bytes in memory",
    "LoadProgress": "refuses a position above 2^62",
    "PlainURL": "reads a port of at most five digits",
    "RecordReader": "reads any number, which the reader of each part checks",
    "RecordWriter": "writes numbers",
    "URLAuthority": "reads a port of at most eight digits",
    "StoreActivity": "converts the address of an object",
  ]

  private func files(in folder: String) throws -> [(name: String, text: String)] {
    let directory = sources.appendingPathComponent(folder)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: directory.path)
    return try paths.filter { $0.hasSuffix(".swift") }.map { path in
      let file = directory.appendingPathComponent(path)
      let name = file.deletingPathExtension().lastPathComponent
      return (name, try String(contentsOf: file, encoding: .utf8))
    }
  }

  func testOnlyBoundedReadersConvertNumbers() throws {
    let pattern = try NSRegularExpression(
      pattern: #"(?m)^(?! *//).*\b(U?Int(8|16|32|64|128)?|Double|Float)\((?!ascii)"#)
    var found = Set<String>()
    for (folder, prefix) in [("StrataHTTP", ""), ("StrataNetwork", ""), ("StrataCore/Base", "URL")]
    {
      for (name, text) in try files(in: folder)
      where name.hasPrefix(prefix)
        && pattern.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
      {
        found.insert(name)
        XCTAssertNotNil(
          converters[name], "\(name) converts a number: bound it, and add the file to `converters`")
      }
    }
    XCTAssertEqual(found, Set(converters.keys))
  }

  func testEachNumberOfAPolicyIsClampedWhenItIsSet() throws {
    let number = try NSRegularExpression(
      pattern: #"public var \w+: (Int|Int64|Double|Duration)\??( \{\n    didSet)?"#)
    var count = 0
    for (name, text) in try files(in: "StrataHTTP") where name.hasSuffix("Policy") {
      for match in number.matches(in: text, range: NSRange(text.startIndex..., in: text)) {
        count += 1
        XCTAssertNotNil(
          Range(match.range(at: 2), in: text), (text as NSString).substring(with: match.range))
      }
    }
    XCTAssertEqual(count, 4)
  }
}
