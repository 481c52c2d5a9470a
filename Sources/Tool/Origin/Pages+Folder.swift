import Foundation

extension Pages {
  /// Reads the text files in a directory and its subdirectories, except hidden files.
  ///
  /// - Throws: A ``FileFault`` if the directory is missing, contains no text files, or contains at
  ///   least 10,000 text files.
  static func ofFolder(_ path: String) throws -> Pages {
    let folder = URL(fileURLWithPath: path, isDirectory: true).resolvingSymlinksInPath()
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder),
      isFolder.boolValue,
      let files = FileManager.default.enumerator(
        at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
    else { throw FileFault("there is no directory \(path)") }
    var contents: [String: String] = [:]
    while let file = files.nextObject() as? URL {
      guard let text = text(of: file) else { continue }
      let place = file.resolvingSymlinksInPath().path.dropFirst(folder.path.count)
      contents[place.hasPrefix("/") ? String(place) : "/\(place)"] = text
      if contents.count >= 10_000 { throw FileFault("\(path) has 10,000 or more files") }
    }
    guard !contents.isEmpty else { throw FileFault("there is no text file in \(path)") }
    return Pages(contents: contents)
  }
}
