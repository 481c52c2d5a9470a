import Foundation

/// The directories of the user.
enum UserDirectories {
  /// Returns the user's directory for caches. On Linux, the environment variable `XDG_CACHE_HOME`
  /// names the directory if its value is an absolute path. Otherwise, it's `$HOME/.cache`. When
  /// `HOME` isn't an absolute path, the home directory of the user database applies. See the XDG
  /// Base Directory Specification 0.8.
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
