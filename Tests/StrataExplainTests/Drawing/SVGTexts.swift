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

/// Returns the shapes of a drawing in order, each as a line with its numbers, its style, and its
/// text. Throws an error if the drawing isn't well-formed XML.
func svgShapes(_ svg: String) throws -> String {
  final class Reader: NSObject, XMLParserDelegate {
    var shapes: [(shape: String, text: String)] = []
    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      let names = ["x", "y", "x1", "y1", "x2", "y2", "width", "height", "rx", "points", "class"]
      let values = names.compactMap { attributes[$0]?.trimmingCharacters(in: .whitespaces) }
      shapes.append((([name] + values.filter { !$0.isEmpty }).joined(separator: " "), ""))
    }
    func parser(_ parser: XMLParser, foundCharacters text: String) {
      if !shapes.isEmpty {
        shapes[shapes.count - 1].text += text.trimmingCharacters(in: .newlines)
      }
    }
  }
  let (reader, parser) = (Reader(), XMLParser(data: Data(svg.utf8)))
  parser.delegate = reader
  guard parser.parse() else { throw NotXML(reason: "\(String(describing: parser.parserError))") }
  // The title and the style sheet have tests of their own.
  return reader.shapes.filter { !["title", "style"].contains($0.shape) }
    .map { $0.text.isEmpty ? $0.shape : "\($0.shape): \($0.text)" }.joined(separator: "\n")
}

private struct NotXML: Error {
  let reason: String
}
