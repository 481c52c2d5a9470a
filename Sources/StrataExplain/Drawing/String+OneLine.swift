extension String {
  /// This text on one line. Line breaks and invisible characters become spaces.
  var onOneLine: String {
    var text = ""
    for scalar in unicodeScalars {
      let isShown =
        scalar.value >= 32 && !(0x7F...0x9F).contains(scalar.value)
        && !(0x2028...0x2029).contains(scalar.value) && !(0xFFFE...0xFFFF).contains(scalar.value)
      text.unicodeScalars.append(isShown ? scalar : " ")
    }
    return text
  }

  /// Returns this text, truncated to at most `count` characters. A truncated text ends with an
  /// ellipsis.
  func cut(to count: Int) -> String {
    self.count <= count ? self : prefix(max(0, count - 1)) + "…"
  }
}
