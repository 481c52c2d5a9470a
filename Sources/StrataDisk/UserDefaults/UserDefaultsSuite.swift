import Foundation

/// A suite of user defaults. All levels in this process that use the same suite name share one
/// object of this class.
///
/// Single calls to Foundation are thread-safe, but a `clear` makes many. So operations wait for an
/// earlier `clear`, and for earlier writes to their key. They hold no lock during a call to
/// Foundation, because it may notify an observer that uses the cache.
final class UserDefaultsSuite: Sendable {
  private static let known = SharedByName()

  let name: String
  let queue = KeyedQueue()
  // `UserDefaults` is documented as thread-safe, but isn't `Sendable` in every SDK. The lock exists
  // only to make this object `Sendable`, so it isn't held during calls to Foundation.
  private let shared: Lock<UserDefaults>
  private var defaults: UserDefaults { shared.withLock { $0 } }

  /// Returns the suite with the given name. Creates the suite if no level uses that name yet.
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

  /// Writes the suite to its file, on systems that don't do so by themselves.
  private func synchronized() -> Promise<Void> {
    defaults.writeToFile()
    return Promise()
  }

  /// Returns a file name for a suite. Safe characters are ASCII letters, digits, `-`, `_`, and `.`.
  /// A name of 1 to 128 safe characters stays unchanged, unless it begins with a period. Of any
  /// other name, up to 64 safe characters remain, followed by a percent sign and a checksum.
  ///
  /// A file name must be short, and must not refer to another directory.
  static func fileName(of name: String) -> String {
    let parts = name.components(separatedBy: UserDefaultsEntry.plain.inverted)
    if parts.count == 1, !name.hasPrefix("."), 1...128 ~= name.utf8.count { return name }
    let sum = CanonicalKey.bytes(of: name).withUnsafeBytes { Checksum.of($0) }
    return String(parts.joined().prefix(64)).trimmingCharacters(in: ["."]) + "%"
      + String(sum, radix: 16)
  }
}
