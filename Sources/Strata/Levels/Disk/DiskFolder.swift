import Foundation

/// The places at which disk levels keep their folders.
enum DiskFolder {
  /// The path of the folder for the level of this name.
  ///
  /// - Parameter parent: The folder to make it in; without one, `Strata` in the user's caches.
  static func path(forLevel name: String, in parent: URL? = nil) -> String {
    let parent = parent ?? caches().appendingPathComponent("Strata", isDirectory: true)
    return plain(parent.path + "/" + DiskNames.folder(for: name))
  }

  /// The user's folder for caches: on Linux `XDG_CACHE_HOME`, else `~/.cache` (XDG Base Directory
  /// specification 0.8, by which a relative path is to be ignored).
  static func caches(environment: [String: String] = ProcessInfo.processInfo.environment) -> URL {
    #if canImport(Darwin)
      let found = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
      return found ?? FileManager.default.temporaryDirectory
    #else
      if let path = environment["XDG_CACHE_HOME"], path.hasPrefix("/") {
        return URL(fileURLWithPath: path, isDirectory: true)
      }
      return FileManager.default.homeDirectoryForCurrentUser
        .appendingPathComponent(".cache", isDirectory: true)
    #endif
  }

  /// The path made absolute, without empty and `.` components.
  ///
  /// Above all without a slash at its end, which would make the system follow a link there.
  static func plain(_ path: String) -> String {
    let absolute =
      path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    return "/" + absolute.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }

  /// One path for all that lead to the same folder, whether or not it exists yet: links above its
  /// last component are resolved as far down as there is anything.
  static func canonical(_ path: String, in files: FileSystem) -> String {
    let parts = path.split(separator: "/")
    for depth in (0..<max(1, parts.count)).reversed() {
      let upper = "/" + parts[..<depth].joined(separator: "/")
      guard let resolved = files.realPath(upper) else { continue }
      return plain(resolved + "/" + parts[depth...].joined(separator: "/"))
    }
    return path
  }

  /// The path of each folder above this one and of itself, the longest first.
  static func ancestry(of path: String) -> [String] {
    let parts = path.split(separator: "/")
    return (0..<parts.count).map { "/" + parts[...$0].joined(separator: "/") }.reversed()
  }
}
