#if canImport(Security)
  import Foundation
  import Security

  extension Cache where Key == String, Value == Data {
    /// Returns a level that stores values in the keychain. Use the keychain for a few small
    /// secrets, such as tokens.
    ///
    /// Secrets stay on this device, and aren't included in backups. But they remain when the app is
    /// deleted. To discard the entries of an earlier installation, call `removeAll()` at the first
    /// launch. All levels with the same service and access group share their items.
    ///
    ///     let tokens: Cache<String, String> = .keychain(service: "com.example.app") <*> .utf8
    ///
    /// - Parameters:
    ///   - service: The service name of the keychain items. Any string is valid.
    ///   - accessGroup: The access group that apps and extensions share. The default is the app's
    ///     group.
    ///   - isReadableWhileLocked: Whether the items can be read while the device is locked. After
    ///     a restart, no item can be read until the device has been unlocked once. The default is
    ///     `true`, because an app that runs in the background needs this access.
    /// - Returns: A cache whose failures are ``KeychainError`` values. Each operation runs on the
    ///   caller's thread, and takes about a millisecond. To keep this work off the main thread, use
    ///   `dispatched(on:)`.
    /// - Law: `Laws.level`. See `KeychainTests`.
    public static func keychain(
      service: String, accessGroup: String? = nil, isReadableWhileLocked: Bool = true
    ) -> Cache {
      let items = KeychainItems(
        service: service, accessGroup: accessGroup, isReadableWhileLocked: isReadableWhileLocked)
      return Cache(
        get: { key in Promise(catching: { try items.value(for: key) }) },
        set: { key, value in Promise(catching: { try items.set(value, for: key) }) },
        remove: { key in Promise(catching: { try items.remove(key) }) },
        clear: { Promise(catching: { try items.remove(nil) }) },
        memoryWarning: {},
        metadata: CacheMetadata(plan: .level("keychain", .storage, [nil: .text(service)])))
    }
  }

  /// A failure of the keychain.
  public struct KeychainError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The status code of the Security framework, such as -25308 while the device is locked.
    public let status: Int32

    /// The reason for the failure, with the status code.
    public var description: String {
      switch status {
      case -25308: "the keychain can't be read while the device is locked (status -25308)"
      case -34018: "the app lacks the entitlement for the keychain's access group (status -34018)"
      default: "the keychain failed with status \(status)"
      }
    }
  }

  /// The keychain items (generic passwords) of one service. The system serializes calls from
  /// several threads.
  private struct KeychainItems: Sendable {
    let service: String
    let accessGroup: String?
    let isReadableWhileLocked: Bool

    func value(for key: String) throws -> Data {
      var query = query(key)
      query[kSecReturnData] = true
      var found: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &found)
      if status == errSecItemNotFound { throw CacheError.notFound }
      try check(status)
      guard let data = found as? NSData else { throw CacheError.notFound }
      return Data(referencing: data)
    }

    /// Updates or adds an item. Tries again if another thread adds or removes the item at the same
    /// time.
    func set(_ value: Data, for key: String) throws {
      var status = errSecItemNotFound
      for _ in 0..<100 {
        status = SecItemUpdate(query(key) as CFDictionary, [kSecValueData: value] as CFDictionary)
        guard status == errSecItemNotFound else { return try check(status) }
        var item = query(key)
        item[kSecValueData] = value
        item[kSecAttrAccessible] =
          isReadableWhileLocked
          ? kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
          : kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        status = SecItemAdd(item as CFDictionary, nil)
        guard status == errSecDuplicateItem else { return try check(status) }
      }
      throw KeychainError(status: status)
    }

    /// Removes the item of a key, or all items of the service if the key is `nil`.
    func remove(_ key: String?) throws {
      let status = SecItemDelete(query(key) as CFDictionary)
      if status != errSecItemNotFound { try check(status) }
    }

    private func check(_ status: OSStatus) throws {
      if status != errSecSuccess { throw KeychainError(status: status) }
    }

    /// Returns the query for a key, or for all items if the key is `nil`. Equal keys have the same
    /// account name in the keychain, even if their Unicode normal forms differ.
    private func query(_ key: String?) -> [CFString: Any] {
      var query: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: service,
        kSecUseDataProtectionKeychain: true,
      ]
      if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
      if let key {
        query[kSecAttrAccount] = "key " + Data(CanonicalKey.bytes(of: key)).base64EncodedString()
      }
      return query
    }
  }
#endif
