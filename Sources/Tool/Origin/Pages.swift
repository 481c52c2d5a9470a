import Foundation

/// What an origin serves: contents by path.
///
/// All of it is read before the first request, and a request only looks up its path in a table: no
/// path leads to a file that was not put there.
struct Pages: Sendable {
  let contents: [String: String]

  /// The page at a path such as `/README.md`.
  subscript(path: String) -> String? { contents[path] }

  /// The project's own files where they are found, over pages that are built in.
  ///
  /// - Parameter places: Where to look, and in all directories above.
  static func ofProject(near places: [URL] = Pages.places) -> Pages {
    let files = places.lazy.compactMap(root(above:)).first.map(read(_:)) ?? [:]
    return Pages(contents: builtIn.merging(files) { $1 })
  }

  /// The working directory, and where this program lies.
  static var places: [URL] {
    let manager = FileManager.default
    let program = Bundle.main.executableURL?.resolvingSymlinksInPath()
    return [URL(fileURLWithPath: manager.currentDirectoryPath, isDirectory: true)]
      + [program?.deletingLastPathComponent()].compactMap { $0 }
  }

  /// The nearest directory, upwards, that holds this project.
  static func root(above directory: URL) -> URL? {
    var directory = directory.standardizedFileURL
    while true {
      let mark = directory.appendingPathComponent("Sources/Strata/Cache.swift")
      if FileManager.default.fileExists(atPath: mark.path) { return directory }
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

  /// The text of a regular file of at most 1 MiB; a link, a device or other bytes are no page.
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
  /// Pages for a program that runs far from its sources, under the paths that the tour asks for.
  static let builtIn = [
    "/README.md": "# Strata\n\nCaches that add up: memory + disk + network.\n",
    "/Package.swift": "// Strata has no dependencies.\n",
    "/Sources/Strata/Cache.swift": "// A cache is a struct of functions.\n",
    "/Sources/Strata/Fetcher.swift": "// A fetcher is a cache that is only read.\n",
    "/Sources/Strata/Operators.swift": "// Keys enter from the left, values leave to the right.\n",
  ]
}
