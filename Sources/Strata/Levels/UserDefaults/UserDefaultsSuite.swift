import Foundation

/// A suite of user defaults. All levels in this process with the same suite name share the suite.
///
/// Each call to Foundation is thread-safe. The suite also orders the operations of a key, because a
/// clear makes many calls. The suite doesn't hold a lock during a call, because an observer of the
/// defaults may use the cache.
final class UserDefaultsSuite: Sendable {
  private static let known = SharedByName()

  let name: String
  let order = OperationOrder(.level)
  // `UserDefaults` is documented to be thread-safe, but isn't `Sendable` in every SDK. So a lock
  // wraps the object, but no call holds the lock.
  private let shared: Lock<UserDefaults>
  private var defaults: UserDefaults { shared.withLock { $0 } }

  /// Returns the suite with a name, and creates the suite if no level uses it.
  static func named(_ name: String) -> UserDefaultsSuite {
    known.object(named: name, orElse: UserDefaultsSuite(name))
  }

  private init(_ name: String) {
    self.name = name
    shared = Lock(UserDefaults(suiteName: Self.fileName(of: name)) ?? .standard)
  }

  @inline(never)
  func value(for key: String) -> Data? {
    let entry = UserDefaultsEntry(key)
    return (defaults.object(forKey: entry.name) as? Data).flatMap(entry.value)
  }

  @inline(never)
  func set(_ value: Data, for key: String) -> Promise<Void> {
    let entry = UserDefaultsEntry(key)
    defaults.set(entry.adding(headerTo: value), forKey: entry.name)
    return synchronized()
  }

  @inline(never)
  func remove(_ key: String) -> Promise<Void> {
    removeIfOwn(UserDefaultsEntry(key).name)
    return synchronized()
  }

  @inline(never)
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

  /// Writes the suite to its file, on systems that don't write it themselves.
  private func synchronized() -> Promise<Void> {
    defaults.writeToFile()
    return Promise()
  }

  /// Returns a plain name unchanged. For any other name, returns its plain characters and a
  /// checksum.
  ///
  /// The system creates a file with the returned name, so that name must be short, and must not
  /// refer to another directory.
  static func fileName(of name: String) -> String {
    let parts = name.components(separatedBy: UserDefaultsEntry.plain.inverted)
    if parts.count == 1, !name.hasPrefix("."), 1...128 ~= name.utf8.count { return name }
    let sum = CanonicalKey.bytes(of: name).withUnsafeBytes { Checksum.of($0) }
    return String(parts.joined().prefix(64)).trimmingCharacters(in: ["."]) + "%"
      + String(sum, radix: 16)
  }
}
