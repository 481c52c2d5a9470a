/// Functions that all SVG drawings share.
package enum SVG {
  /// Returns the text of an SVG file.
  ///
  /// - Parameter title: The text for screen readers.
  package static func file(
    width: Double, height: Double, title: String, style: String, _ elements: [String]
  ) -> String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width.placed) \(height.placed)" \
    width="\(width.placed)" height="\(height.placed)" role="img">
    <title>\(title.escaped)</title>
    <style>
    \(style)
    </style>
    <rect width="100%" height="100%" class="ground"/>
    \(elements.joined(separator: "\n"))
    </svg>

    """
  }
}

extension Double {
  /// This number as text, rounded to one decimal place.
  package var placed: String {
    let tenths = (self * 10).rounded()
    return tenths.truncatingRemainder(dividingBy: 10) == 0
      ? String(Int(tenths / 10)) : String(tenths / 10)
  }
}

extension String {
  /// This text on one line, escaped for XML.
  package var escaped: String {
    var text = ""
    for character in onOneLine.unicodeScalars {
      switch character {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      default: text.unicodeScalars.append(character)
      }
    }
    return text
  }
}
