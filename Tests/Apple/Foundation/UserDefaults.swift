import Foundation

/// https://developer.apple.com/documentation/foundation/userdefaults
///
/// The class is `Sendable` in the SDKs of 2025 and later, but not in earlier SDKs. On iOS, the
/// stand-in is `Sendable`, as in the SDKs of 2025 and later.
open class UserDefaults: NSObject {
  private let defaults: Foundation.UserDefaults

  open class var standard: UserDefaults { UserDefaults(Foundation.UserDefaults.standard) }

  private init(_ defaults: Foundation.UserDefaults) { self.defaults = defaults }

  public init?(suiteName suitename: String?) {
    guard let defaults = Foundation.UserDefaults(suiteName: suitename) else { return nil }
    self.defaults = defaults
  }

  open func object(forKey defaultName: String) -> Any? { defaults.object(forKey: defaultName) }
  open func data(forKey defaultName: String) -> Data? { defaults.data(forKey: defaultName) }
  open func string(forKey defaultName: String) -> String? { defaults.string(forKey: defaultName) }
  open func array(forKey defaultName: String) -> [Any]? { defaults.array(forKey: defaultName) }
  open func integer(forKey defaultName: String) -> Int { defaults.integer(forKey: defaultName) }
  open func set(_ value: Any?, forKey defaultName: String) {
    defaults.set(value, forKey: defaultName)
  }
  open func removeObject(forKey defaultName: String) { defaults.removeObject(forKey: defaultName) }
  open func dictionaryRepresentation() -> [String: Any] { defaults.dictionaryRepresentation() }
  open func removePersistentDomain(forName domainName: String) {
    defaults.removePersistentDomain(forName: domainName)
  }
}

#if os(iOS)
  extension UserDefaults: @unchecked Sendable {}
#else
  @available(*, unavailable)
  extension UserDefaults: @unchecked Sendable {}
#endif
