import Foundation

/// One suite of defaults, as all levels of this process use it.
///
/// Foundation guards each of its calls, and here the order of calls is kept: a clear is many of
/// them. No lock is held meanwhile, for an observer of the defaults may use the cache.
final class UserDefaultsSuite: Sendable {
  private struct Weak: Sendable {
    weak var suite: UserDefaultsSuite?
  }

  private static let known = Lock<[String: Weak]>([:])

  let name: String
  let order = KeyOrder<String>()
  // Documented to be safe on any thread; not marked so everywhere.
  private nonisolated(unsafe) let defaults: UserDefaults

  /// Returns the suite of a name, making it if no level uses it.
  static func named(_ name: String) -> UserDefaultsSuite {
    let new = UserDefaultsSuite(name)
    return known.withLock { known in
      if let suite = known[name]?.suite { return suite }
      known = known.filter { $0.value.suite != nil }
      known[name] = Weak(suite: new)
      return new
    }
  }

  private init(_ name: String) {
    self.name = name
    defaults = UserDefaults(suiteName: Self.fileName(of: name)) ?? .standard
  }

  func value(for key: String) -> Data? {
    let entry = UserDefaultsEntry(key)
    return (defaults.object(forKey: entry.name) as? Data).flatMap(entry.value)
  }

  func set(_ value: Data, for key: String) -> Promise<Void> {
    let entry = UserDefaultsEntry(key)
    defaults.set(entry.marked(value), forKey: entry.name)
    return synchronized()
  }

  func remove(_ key: String) -> Promise<Void> {
    removeIfOwn(UserDefaultsEntry(key).name)
    return synchronized()
  }

  func removeAll() -> Promise<Void> {
    for name in defaults.dictionaryRepresentation().keys where UserDefaultsEntry.isOwn(name) {
      removeIfOwn(name)
    }
    return synchronized()
  }

  private func removeIfOwn(_ name: String) {
    guard UserDefaultsEntry.isOwn(defaults.object(forKey: name)) else { return }
    defaults.removeObject(forKey: name)
  }

  /// Writes the suite to its file where nobody else does.
  private func synchronized() -> Promise<Void> {
    #if !canImport(Darwin)
      defaults.synchronize()
    #endif
    return Promise()
  }

  /// A plain name stands for itself; in any other all that is not plain becomes its code.
  ///
  /// The system makes a file of this name, so none may lead out of the folder or be too long.
  static func fileName(of name: String) -> String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.".utf8)
    let bytes = CanonicalKey.bytes(of: name)
    let isPlain = bytes.allSatisfy(plain.contains) && bytes.first != UInt8(ascii: ".")
    if isPlain, 1...128 ~= bytes.count { return name }
    let sum = bytes.withUnsafeBytes { Checksum.of($0) }
    return String(decoding: bytes.filter(plain.contains).prefix(64), as: UTF8.self)
      .trimmingCharacters(in: CharacterSet(charactersIn: ".")) + "%" + String(sum, radix: 16)
  }
}
