import Foundation

/// An SQLite database, available if the SQLite library is installed. This library is loaded on
/// first use.
///
/// This database contains one table of names and bytes. It uses a write-ahead log, which is flushed
/// only at checkpoints.
final class SQLite: @unchecked Sendable {  // Only one thread uses it.
  private typealias Handle = OpaquePointer
  private let library: Library
  private var database: Handle?
  private var writing: Handle?
  private var reading: Handle?

  /// Returns `nil` if the library isn't installed or can't open the file.
  init?(in directory: URL) {
    guard let library = Library() else { return nil }
    self.library = library
    let path = directory.appendingPathComponent("database").path
    guard library.open(path, &database) == 0 else { return nil }
    for statement in [
      "PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL",
      "CREATE TABLE entries (name TEXT PRIMARY KEY, value BLOB)",
    ] {
      guard library.execute(database, statement, nil, nil, nil) == 0 else { return nil }
    }
    writing = prepared("INSERT OR REPLACE INTO entries VALUES (?, ?)")
    reading = prepared("SELECT value FROM entries WHERE name = ?")
    guard writing != nil, reading != nil else { return nil }
  }

  deinit {
    for statement in [writing, reading] { _ = library.finalize(statement) }
    _ = library.close(database)
  }

  func set(_ data: Data, for name: String) throws {
    let status = data.withUnsafeBytes { bytes in
      bind(name, to: writing)
      _ = library.bindBytes(writing, 2, bytes.baseAddress, Int32(bytes.count), nil)
      return library.step(writing)
    }
    _ = library.reset(writing)
    guard status == 101 else { throw FileFault("the database cannot write: \(status)") }
  }

  func get(_ name: String) -> Data? {
    bind(name, to: reading)
    defer { _ = library.reset(reading) }
    guard library.step(reading) == 100, let bytes = library.bytes(reading, 0) else { return nil }
    return Data(bytes: bytes, count: Int(library.count(reading, 0)))
  }

  // SQLite must copy the name, because the pointer to the name's bytes is valid only inside the
  // closure.
  private func bind(_ name: String, to statement: Handle?) {
    var name = name
    name.withUTF8 { text in
      _ = library.bindText(statement, 1, text.baseAddress, Int32(text.count), .init(bitPattern: -1))
    }
  }

  private func prepared(_ text: String) -> Handle? {
    var statement: Handle?
    _ = library.prepare(database, text, -1, &statement, nil)
    return statement
  }
}
