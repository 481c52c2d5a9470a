// # Your own level
//
// A level consists of a few functions. The level on this page stores strings as files in a
// directory, and the laws check it. Run this page with `swift run page-your-own-level`.

import Foundation
import Strata
import StrataLaws

/// A directory that stores strings as files. The directory is deleted when this object is
/// deallocated.
final class Folder: @unchecked Sendable {  // The lock guards the files.
  private let lock = NSLock()
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("strata-level-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Returns the file for a key. The file's name contains the key's composed Unicode form in
  /// hexadecimal digits.
  ///
  /// Two different keys never share a file, and all Unicode spellings of a key share one file. No
  /// key leads to a path outside of the directory. A `set` fails if the key is too long for a file
  /// name. The laws allow such a failure.
  private func file(_ key: String) -> URL {
    let bytes = key.precomposedStringWithCanonicalMapping.utf8
    return url.appendingPathComponent("k" + bytes.map { String(format: "%02x", $0) }.joined())
  }

  /// The level. The functions of the level are synchronous, and each function takes the lock once.
  var cache: Cache<String, String> {
    Cache(
      get: { key in
        try self.lock.withLock {
          guard let data = try? Data(contentsOf: self.file(key)) else { throw CacheError.notFound }
          return String(decoding: data, as: UTF8.self)
        }
      },
      set: { key, value in
        try self.lock.withLock { try Data(value.utf8).write(to: self.file(key), options: .atomic) }
      },
      remove: { key in
        self.lock.withLock { try? FileManager.default.removeItem(at: self.file(key)) }
      },
      clear: {
        try self.lock.withLock { try self.files().forEach(FileManager.default.removeItem(at:)) }
      })
  }

  private func files() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
  }
}

// A sum can contain this level like any other level, and copies values from the levels below into
// this level.
let folder = try Folder()
let numerals = Fetcher<String, String> { text in
  guard let number = Int(text) else { throw CacheError.notFound }
  return String(repeating: "I", count: number)
}
let cache = Cache<String, String>.memory(capacity: 10) + folder.cache.named("folder") + numerals
print("\(cache.plan): 3 is \(try await cache.value(for: "3"))")
let kept = try await folder.cache.value(for: "3")
precondition(kept == "III")

// The advice reports levels that don't declare a capacity.
for remark in cache.plan.advice where remark.kind == .unbounded { print(remark) }

// One line checks the laws. A violation would contain the smallest program with which the check
// could break a law.
func testTheFolderIsALevel() async throws {
  try await Laws.check(.level("folder", isPersistent: true) { (try? Folder())?.cache ?? .empty })
}
try await testTheFolderIsALevel()
print("every law of a level holds")
