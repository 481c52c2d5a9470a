import Foundation

/// A suite of user defaults. All levels in this process that use the same suite name share this
/// object.
///
/// Each call to Foundation is thread-safe. The suite still orders the operations on each key,
/// because a `clear` makes many calls. No lock is held during a call, because the call may notify
/// an observer of the defaults, and the observer may use the cache.
final class UserDefaultsSuite: Sendable {
  private static let known = SharedByName()

  let name: String
  let order = OperationOrder(.level)
  // `UserDefaults` is documented to be thread-safe, but isn't `Sendable` in every SDK. The lock
  // only makes the object `Sendable`, and isn't held during calls.
  private let shared: Lock<UserDefaults>
  private var defaults: UserDefaults { shared.withLock { $0 } }

  /// Returns the suite with the given name, and creates the suite if no level uses it.
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

  /// Writes the suite to its file, on systems that don't write the file automatically.
  private func synchronized() -> Promise<Void> {
    defaults.writeToFile()
    return Promise()
  }

  /// Returns a file name for a suite. A name that has only plain characters stays unchanged. Any
  /// other name is reduced to its plain characters, followed by a checksum.
  ///
  /// The system uses the returned name as a file name, so it must be short and must not refer to
  /// another directory.
  static func fileName(of name: String) -> String {
    let parts = name.components(separatedBy: UserDefaultsEntry.plain.inverted)
    if parts.count == 1, !name.hasPrefix("."), 1...128 ~= name.utf8.count { return name }
    let sum = CanonicalKey.bytes(of: name).withUnsafeBytes { Checksum.of($0) }
    return String(parts.joined().prefix(64)).trimmingCharacters(in: ["."]) + "%"
      + String(sum, radix: 16)
  }
}
