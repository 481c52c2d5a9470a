import Foundation
import XCTest

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Returns the texts of a drawing, beginning with the title and the style sheet. Throws an error if
/// the drawing isn't well-formed XML.
func svgTexts(_ svg: String) throws -> [String] {
  final class Reader: NSObject, XMLParserDelegate {
    var texts: [String] = []
    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      if ["text", "title", "style"].contains(name) { texts.append("") }
    }
    func parser(_ parser: XMLParser, foundCharacters text: String) {
      if !texts.isEmpty { texts[texts.count - 1] += text.trimmingCharacters(in: .newlines) }
    }
  }
  let (reader, parser) = (Reader(), XMLParser(data: Data(svg.utf8)))
  parser.delegate = reader
  guard parser.parse() else { throw NotXML(reason: "\(String(describing: parser.parserError))") }
  return reader.texts
}

private struct NotXML: Error {
  let reason: String
}
