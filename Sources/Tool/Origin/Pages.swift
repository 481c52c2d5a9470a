import Foundation

/// The pages of an origin, by path.
///
/// All pages are read before the first request, and the path of a request is only looked up in a
/// table. So a request can't read arbitrary files.
struct Pages: Sendable {
  let contents: [String: String]

  /// The page at a path, such as `/README.md`.
  subscript(path: String) -> String? { contents[path] }

  /// Returns the built-in pages and, if the project is found, the project's files. Files replace
  /// the built-in pages at the same paths.
  ///
  /// - Parameter directories: The directories to search for the project, together with all their
  ///   ancestors.
  static func ofProject(near directories: [URL] = Pages.directories) -> Pages {
    let files = directories.lazy.compactMap(root(above:)).first.map(read(_:)) ?? [:]
    return Pages(contents: builtIn.merging(files) { $1 })
  }

  /// The working directory and the directory of this program.
  static var directories: [URL] {
    let manager = FileManager.default
    let program = Bundle.main.executableURL?.resolvingSymlinksInPath()
    return [URL(fileURLWithPath: manager.currentDirectoryPath, isDirectory: true)]
      + [program?.deletingLastPathComponent()].compactMap { $0 }
  }

  /// Returns the nearest directory that contains this project: the given directory or one of its
  /// ancestors.
  static func root(above directory: URL) -> URL? {
    var directory = directory.standardizedFileURL
    while true {
      let marker = directory.appendingPathComponent("Sources/StrataCore/Core/Algebra/Cache.swift")
      if FileManager.default.fileExists(atPath: marker.path) { return directory }
      let parent = directory.deletingLastPathComponent().standardizedFileURL
      guard parent.path.utf8.count < directory.path.utf8.count else { return nil }
      directory = parent
    }
  }

  private static func read(_ root: URL) -> [String: String] {
    let sources = FileManager.default.enumerator(
      atPath: root.appendingPathComponent("Sources").path)
    let swift = (sources?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".swift") }
    let paths = ["README.md", "Package.swift", "LICENSE"] + swift.map { "Sources/\($0)" }
    let pages = paths.compactMap { path in
      text(of: root.appendingPathComponent(path)).map { ("/\(path)", $0) }
    }
    return Dictionary(pages) { $1 }
  }

  /// Returns the text of a regular file of at most 1 MiB. Returns `nil` for links, devices, and
  /// binary data.
  static func text(of file: URL) -> String? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    guard attributes?[.type] as? FileAttributeType == .typeRegular,
      let size = attributes?[.size] as? Int, size <= 1 << 20,
      let data = try? Data(contentsOf: file)
    else { return nil }
    return String(validating: data, as: UTF8.self)
  }
}

extension Pages {
  /// The built-in pages, at the paths that the tour uses. Without the project's files, only these
  /// pages are served.
  static let builtIn = [
    "/README.md": "# Strata\n\nCaches that add up: memory + disk + network.\n",
    "/Package.swift": "// Strata has no dependencies.\n",
    "/Sources/StrataCore/Core/Algebra/Cache.swift": "// A cache is a struct of functions.\n",
    "/Sources/StrataCore/Core/Algebra/Fetcher.swift": "// A fetcher is a read-only cache.\n",
    "/Sources/StrataCore/Core/Algebra/Operators.swift":
      "// Key maps are on the left, and codecs are on the right.\n",
  ]
}
