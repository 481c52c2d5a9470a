import Foundation

/// The directories of the user.
enum UserDirectories {
  /// Returns the user's directory for caches. On Linux, it's `$XDG_CACHE_HOME` if that's an
  /// absolute path, and `$HOME/.cache` if it isn't. If `HOME` isn't an absolute path either, the
  /// home directory comes from the user database. See the XDG Base Directory Specification 0.8.
  static func caches(environment: [String: String] = ProcessInfo.processInfo.environment) -> URL {
    #if canImport(Darwin)
      let found = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
      return found ?? FileManager.default.temporaryDirectory
    #else
      if let path = environment["XDG_CACHE_HOME"], path.hasPrefix("/") {
        return URL(fileURLWithPath: path, isDirectory: true)
      }
      let home =
        if let path = environment["HOME"], path.hasPrefix("/") {
          URL(fileURLWithPath: path, isDirectory: true)
        } else { FileManager.default.homeDirectoryForCurrentUser }
      return home.appendingPathComponent(".cache", isDirectory: true)
    #endif
  }
}
