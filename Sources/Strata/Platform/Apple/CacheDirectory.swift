#if canImport(Darwin)
  import Foundation

  /// Directories for disk levels that differ from the user's caches directory.
  public enum CacheDirectory {
    /// Returns the directory for caches in the container of an app group.
    ///
    /// An app and its extensions pass it to `disk(_:in:capacity:offMainThread:)` with the same
    /// name, and share one level. Each sees the other's writes.
    ///
    ///     let shared = try CacheDirectory.appGroup("group.com.example.app")
    ///     let articles: Cache<String, Data> = .disk("articles", in: shared)
    ///
    /// - Parameter identifier: The identifier of the group, which the app and the extensions list
    ///   in their entitlements.
    /// - Throws: ``CacheDirectoryError`` if this process isn't in the group.
    public static func appGroup(_ identifier: String) throws -> URL {
      let container = FileManager.default.containerURL(
        forSecurityApplicationGroupIdentifier: identifier)
      guard let container else { throw CacheDirectoryError.notInGroup(identifier) }
      return container.appendingPathComponent("Library/Caches/Strata", isDirectory: true)
    }

    /// Makes a directory that no backup includes, with a class of data protection.
    ///
    /// A new file gets the class of its directory, and an existing file keeps its class. So call
    /// this function before the first use of a disk level in the directory. The user's caches
    /// directory doesn't need it: backups never include that directory, and its class is the app's
    /// default.
    ///
    ///     let protected = try CacheDirectory.make(at: directory, protection: .complete)
    ///
    /// - Parameters:
    ///   - url: The URL of the directory.
    ///   - protection: The class. With `.complete`, the level fails while the device is locked, so
    ///     the next level answers. By default, files can be read after the first unlock.
    /// - Returns: The URL.
    public static func make(
      at url: URL, protection: FileProtectionType = .completeUntilFirstUserAuthentication
    ) throws -> URL {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try FileManager.default.setAttributes([.protectionKey: protection], ofItemAtPath: url.path)
      var (values, url) = (URLResourceValues(), url)
      values.isExcludedFromBackup = true
      try url.setResourceValues(values)
      return url
    }
  }

  /// The reason why a directory can't be used.
  public enum CacheDirectoryError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The process isn't in an app group.
    case notInGroup(String)

    /// The reason and its remedy.
    public var description: String {
      switch self {
      case .notInGroup(let group):
        "this process isn't in the app group \(group); add the group to its entitlements"
      }
    }
  }
#endif
