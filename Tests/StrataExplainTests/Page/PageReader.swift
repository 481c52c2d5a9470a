import Foundation
import XCTest

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The elements of a page, in the order in which they begin.
struct PageReader {
  struct Element {
    let name: String
    let attributes: [String: String]
    /// The text in this element and in the elements inside it.
    var text = ""
  }

  let elements: [Element]

  /// Reads a page. Throws an error if an element isn't closed, or if a text isn't escaped.
  init(_ html: String) throws {
    final class Reader: NSObject, XMLParserDelegate {
      var (elements, open): ([Element], [Int]) = ([], [])
      func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
      ) {
        open.append(elements.count)
        elements.append(Element(name: name, attributes: attributes))
      }
      func parser(_ parser: XMLParser, foundCharacters text: String) {
        for index in open { elements[index].text += text }
      }
      func parser(
        _ parser: XMLParser, didEndElement: String, namespaceURI: String?, qualifiedName: String?
      ) { open.removeLast() }
    }
    let (reader, parser) = (Reader(), XMLParser(data: Data(html.utf8)))
    parser.delegate = reader
    guard parser.parse() else {
      throw NotAPage(reason: "\(String(describing: parser.parserError))")
    }
    elements = reader.elements
  }

  /// The texts of all elements with a name and, if given, a class.
  func texts(_ name: String, _ style: String? = nil) -> [String] {
    all(name, style).map(\.text)
  }

  func all(_ name: String, _ style: String? = nil) -> [Element] {
    elements.filter { element in
      let styles = (element.attributes["class"] ?? "").split(separator: " ").map(String.init)
      return element.name == name && (style.map(styles.contains) ?? true)
    }
  }
}

private struct NotAPage: Error {
  let reason: String
}
