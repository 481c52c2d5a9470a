// # Your own level
//
// A level consists of a few functions. The level on this page stores strings as files in a
// directory. `StrataLaws` checks the level. To run the code on this page, use `swift run
// page-your-own-level`.

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

  /// Returns the file for a key. The file's name contains the bytes of the key's composed Unicode
  /// form, in hexadecimal.
  ///
  /// Two different keys never share a file, and all Unicode spellings of a key share one file. The
  /// file is always in the directory, even for a key such as `../a`. If the key is too long for a
  /// file name, `set` fails. This failure doesn't violate the laws for levels.
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

// You can add this level to a sum like any other level. The sum copies values from lower levels
// into this level.
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

// One line checks the laws. If a law doesn't hold, the check throws a violation with the smallest
// failing program that it found.
func testTheFolderIsALevel() async throws {
  try await Laws.check(.level("folder", isPersistent: true) { (try? Folder())?.cache ?? .empty })
}
try await testTheFolderIsALevel()
print("every law of a level holds")
