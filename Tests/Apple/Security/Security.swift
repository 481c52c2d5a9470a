import Foundation
import StandInFoundation

// The keychain of the stand-in is a dictionary of generic passwords.

/// https://developer.apple.com/documentation/security/errsecsuccess
public let errSecSuccess: OSStatus = 0
/// https://developer.apple.com/documentation/security/errsecduplicateitem
public let errSecDuplicateItem: OSStatus = -25299
/// https://developer.apple.com/documentation/security/errsecitemnotfound
public let errSecItemNotFound: OSStatus = -25300
/// https://developer.apple.com/documentation/security/errsecparam
public let errSecParam: OSStatus = -50

// See https://developer.apple.com/documentation/security/item-class-keys-and-values and the pages
// on item attributes, search attributes, and return results.
public nonisolated(unsafe) let kSecClass: CFString = "class"
public nonisolated(unsafe) let kSecClassGenericPassword: CFString = "genp"
public nonisolated(unsafe) let kSecAttrService: CFString = "svce"
public nonisolated(unsafe) let kSecAttrAccount: CFString = "acct"
public nonisolated(unsafe) let kSecAttrAccessGroup: CFString = "agrp"
public nonisolated(unsafe) let kSecAttrAccessible: CFString = "pdmn"
public nonisolated(unsafe) let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
public nonisolated(unsafe) let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"
public nonisolated(unsafe) let kSecUseDataProtectionKeychain: CFString = "nleg"
public nonisolated(unsafe) let kSecValueData: CFString = "v_Data"
public nonisolated(unsafe) let kSecReturnData: CFString = "r_Data"
public nonisolated(unsafe) let kSecMatchLimit: CFString = "m_Limit"
public nonisolated(unsafe) let kSecMatchLimitOne: CFString = "m_LimitOne"
public nonisolated(unsafe) let kSecMatchLimitAll: CFString = "m_LimitAll"

private let lock = NSLock()
private nonisolated(unsafe) var items: [String: [String: Data]] = [:]

private func service(_ query: CFDictionary) -> String? {
  guard query[kSecClass] as? CFString == kSecClassGenericPassword else { return nil }
  return (query[kSecAttrService] as? String).map {
    $0 + "\0" + (query[kSecAttrAccessGroup] as? String ?? "")
  }
}

/// https://developer.apple.com/documentation/security/secitemadd(_:_:)
public func SecItemAdd(
  _ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
  guard let service = service(attributes), let account = attributes[kSecAttrAccount] as? String,
    let data = attributes[kSecValueData] as? Data
  else { return errSecParam }
  return lock.withLock {
    guard items[service]?[account] == nil else { return errSecDuplicateItem }
    items[service, default: [:]][account] = data
    return errSecSuccess
  }
}

/// https://developer.apple.com/documentation/security/secitemcopymatching(_:_:)
public func SecItemCopyMatching(
  _ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
  guard let service = service(query), let account = query[kSecAttrAccount] as? String else {
    return errSecParam
  }
  return lock.withLock {
    guard let data = items[service]?[account] else { return errSecItemNotFound }
    if query[kSecReturnData] as? Bool == true { result?.pointee = NSData(data: data) }
    return errSecSuccess
  }
}

/// https://developer.apple.com/documentation/security/secitemupdate(_:_:)
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
  guard let service = service(query), let account = query[kSecAttrAccount] as? String,
    let data = attributesToUpdate[kSecValueData] as? Data
  else { return errSecParam }
  return lock.withLock {
    guard items[service]?[account] != nil else { return errSecItemNotFound }
    items[service]?[account] = data
    return errSecSuccess
  }
}

/// https://developer.apple.com/documentation/security/secitemdelete(_:)
///
/// With the file-based keychain of macOS, this function deletes one item, unless the query has a
/// match limit.
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
  guard let service = service(query) else { return errSecParam }
  return lock.withLock {
    guard let account = query[kSecAttrAccount] as? String else {
      return items.removeValue(forKey: service) == nil ? errSecItemNotFound : errSecSuccess
    }
    return items[service]?.removeValue(forKey: account) == nil ? errSecItemNotFound : errSecSuccess
  }
}
