/// Returns the first 200 Unicode scalars of a string, so that an error message about a very long
/// string stays short.
///
/// The function counts scalars, not characters, because one character can be a letter with a
/// million accents.
package func bounded(_ text: String) -> String {
  let scalars = text.unicodeScalars
  guard let end = scalars.index(scalars.startIndex, offsetBy: 200, limitedBy: scalars.endIndex),
    end < scalars.endIndex
  else { return text }
  return String(scalars[..<end]) + "…"
}
