import Foundation

/// Functions that compute the directory paths of disk levels.
enum DirectoryPath {
  /// Returns the path of a level's directory. Even with a hostile name, it's inside `parent`.
  ///
  /// - Parameter parent: The URL of the parent directory, by default `Strata` in the user's caches
  ///   directory. It may also be a path without a scheme. Any other URL, such as one with `https`,
  ///   gives a path that every system call rejects.
  static func of(_ name: String, in parent: URL? = nil) -> String {
    let parent =
      parent ?? UserDirectories.caches().appendingPathComponent("Strata", isDirectory: true)
    let isPath = parent.scheme == nil && parent.host == nil && !parent.path.isEmpty
    guard parent.isFileURL || isPath else { return notAPath + parent.absoluteString }
    return plain(parent.path + "/" + component(for: name))
  }

  /// The prefix of a path that the system doesn't accept. The rest of the path is the caller's URL.
  private static let notAPath = "/\0"

  /// Returns the path for an error message, without the prefix that `of` may have added, and
  /// without characters that would end the message early.
  static func readable(_ path: String) -> String {
    let text = path.hasPrefix(notAPath) ? path.dropFirst(notAPath.count) : path[...]
    return text.split(separator: "\0", omittingEmptySubsequences: false)
      .joined(separator: "\\0")
  }

  /// Returns a single, plain path component for the name of a level.
  ///
  /// Names of at most 64 lowercase letters, digits, `-`, `_`, and `.` stay unchanged unless they
  /// begin or end with `.`. Any other name becomes a readable prefix, `%`, and a hash of 128 bits.
  /// So even on a file system that ignores case, different names have different directories.
  static func component(for name: String) -> String {
    let plain = "abcdefghijklmnopqrstuvwxyz0123456789-_."
    let isPlain = !name.isEmpty && name.count <= 64 && name.allSatisfy { plain.contains($0) }
    if isPlain, name.first != ".", name.last != "." { return name }
    let readable = name.lowercased().prefix(32).filter { plain.contains($0) && $0 != "." }
    return CanonicalKey.bytes(of: name).withUnsafeBytes { bytes in
      readable + "%" + SegmentName.of(Checksum.of(bytes), suffix: "")
        + SegmentName.of(Checksum.of(bytes, seed: 1), suffix: "")
    }
  }

  /// Returns the absolute form of a path, without empty and `.` components. It also has no trailing
  /// slash, with which the system would follow a link.
  static func plain(_ path: String) -> String {
    // The rest is a URL, which the error message shows unchanged.
    if path.hasPrefix(notAPath) { return path }
    let absolute =
      path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    return "/" + absolute.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }

  /// Resolves the symbolic links in the existing part of a path. So all paths to one directory have
  /// the same result, even if it doesn't exist yet. The last component stays as it is, because the
  /// level's own directory must not be a link.
  static func canonical(_ path: String, in files: FileSystem) -> String {
    if path.hasPrefix(notAPath) { return path }
    let parts = path.split(separator: "/")
    for depth in (0..<max(1, parts.count)).reversed() {
      let upper = "/" + parts[..<depth].joined(separator: "/")
      guard let resolved = files.realPath(upper) else { continue }
      return plain(resolved + "/" + parts[depth...].joined(separator: "/"))
    }
    return path
  }

  /// Creates a directory and its missing ancestors.
  static func make(_ path: String, in files: FileSystem) throws(FileError) {
    let parts = path.split(separator: "/")
    var depth = parts.count
    // Begins with the whole path instead of its first ancestor, because a sandbox may forbid access
    // to the ancestors.
    for _ in 0...2 * parts.count where depth <= parts.count {
      do {
        try files.makeDirectory("/" + parts[..<depth].joined(separator: "/"))
        depth += 1
      } catch  where error.isExisting {
        depth += 1
      } catch  where error.isMissing && depth > 1 {
        depth -= 1
      }
    }
  }
}
