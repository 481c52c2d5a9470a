#if canImport(Darwin)
  import Foundation

  /// Functions that return directories for disk levels outside the user's caches directory.
  public enum CacheDirectory {
    /// Returns the directory for caches in the container of an app group.
    ///
    /// If an app and its extensions pass this directory and the same name to
    /// `disk(_:in:capacity:offMainThread:)`, they share one level. Each process sees what the
    /// others write.
    ///
    ///     let shared = try CacheDirectory.appGroup("group.com.example.app")
    ///     let articles: Cache<String, Data> = .disk("articles", in: shared)
    ///
    /// - Parameter identifier: The identifier of the group. It must be in the entitlements of the
    ///   app and its extensions.
    /// - Throws: ``CacheDirectoryError`` if this process isn't in the group.
    public static func appGroup(_ identifier: String) throws -> URL {
      let container = FileManager.default.containerURL(
        forSecurityApplicationGroupIdentifier: identifier)
      guard let container else { throw CacheDirectoryError.notInGroup(identifier) }
      return container.appendingPathComponent("Library/Caches/Strata", isDirectory: true)
    }

    /// Creates a directory with a data protection class, and excludes it from backups.
    ///
    /// New files get the protection class of their directory. Existing files keep theirs, so call
    /// this function before a disk level uses the directory for the first time. The user's caches
    /// directory doesn't need it: backups never include that directory, and its protection class is
    /// the app's default.
    ///
    ///     let protected = try CacheDirectory.make(at: directory, protection: .complete)
    ///
    /// - Parameters:
    ///   - url: The URL of the directory.
    ///   - protection: The protection class. With `.complete`, a disk level can't be read while the
    ///     device is locked, so a sum reads the next level. By default, files become readable when
    ///     the device is first unlocked after a restart.
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

  /// An error that states why a directory can't be used.
  public enum CacheDirectoryError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The process isn't in the app group with this identifier.
    case notInGroup(String)

    /// The reason, with a remedy.
    public var description: String {
      switch self {
      case .notInGroup(let group):
        "this process isn't in the app group \(group); add the group to its entitlements"
      }
    }
  }
#endif
