import Foundation

/// https://developer.apple.com/documentation/foundation/urlresourcevalues
public struct URLResourceValues: Sendable {
  /// https://developer.apple.com/documentation/foundation/urlresourcevalues/isexcludedfrombackup
  public var isExcludedFromBackup: Bool?

  public init() {}
}

extension URL {
  /// https://developer.apple.com/documentation/foundation/url/setresourcevalues(_:)
  public mutating func setResourceValues(_ values: URLResourceValues) throws {}
}

extension FileManager {
  /// https://developer.apple.com/documentation/foundation/filemanager/containerurl(forsecurityapplicationgroupidentifier:)
  ///
  /// The stand-in returns a directory for each app group whose identifier begins with
  /// `group.known.`.
  public func containerURL(forSecurityApplicationGroupIdentifier identifier: String) -> URL? {
    guard identifier.hasPrefix("group.known.") else { return nil }
    return URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(identifier)
  }

  #if !os(macOS)
    /// https://developer.apple.com/documentation/foundation/filemanager/homedirectoryforcurrentuser
    @available(*, unavailable, message: "iOS has no home directories for users.")
    public var homeDirectoryForCurrentUser: URL { URL(fileURLWithPath: "/") }
  #endif
}
