import Foundation
import XCTest

/// Fails unless the text is XML with one root element and correctly nested tags.
func assertWellFormed(
  _ text: String, file: StaticString = #filePath, line: UInt = #line
) throws {
  var open: [Substring] = []
  var roots = 0
  for match in text.matches(of: /<(\/?)([a-z]+)((?:\s+[A-Za-z0-9:-]+="[^"<]*")*)\s*(\/?)>/) {
    if !match.1.isEmpty {
      XCTAssertEqual(open.popLast(), match.2, file: file, line: line)
    } else if match.4.isEmpty {
      if open.isEmpty { roots += 1 }
      open.append(match.2)
    }
  }
  XCTAssertEqual(open, [], file: file, line: line)
  XCTAssertEqual(roots, 1, file: file, line: line)
  let rest = text.replacing(/<\/?[a-z]+(?:\s+[A-Za-z0-9:-]+="[^"<]*")*\s*\/?>/, with: "")
  XCTAssertFalse(rest.contains("<"), "a malformed element", file: file, line: line)
  let loose = rest.replacing(/&(?:amp|lt|gt|quot);/, with: "")
  XCTAssertFalse(loose.contains("&"), "a malformed entity", file: file, line: line)
}
