extension String {
  /// This text on one line. Spaces replace line breaks, invisible characters, and characters that
  /// change the direction of the text after them.
  var onOneLine: String {
    var text = ""
    for scalar in unicodeScalars {
      let isShown =
        scalar.value >= 32 && !(0x7F...0x9F).contains(scalar.value)
        && !(0x2028...0x202E).contains(scalar.value)
        && !(0x2066...0x2069).contains(scalar.value) && !(0xFFFE...0xFFFF).contains(scalar.value)
      text.unicodeScalars.append(isShown ? scalar : " ")
    }
    return text
  }

  /// Returns this text, truncated to at most `count` characters. Truncated text ends with an
  /// ellipsis.
  func cut(to count: Int) -> String {
    self.count <= count ? self : prefix(max(0, count - 1)) + "…"
  }
}
