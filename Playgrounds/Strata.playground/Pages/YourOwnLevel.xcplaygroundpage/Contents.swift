// # Your own level
//
// A level is a few functions. This one keeps texts as files in a folder; then the laws say whether
// it is a level. Run this page with `swift run page-your-own-level`.

import Foundation
import Strata
import StrataLaws

/// Texts as files in a folder, which goes with it.
final class Folder: @unchecked Sendable {  // Its files are reached under the lock alone.
  private let lock = NSLock()
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("strata-level-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// No two keys may share a file, one key has one file however it is spelt, and no key may lead
  /// out of the folder: hexadecimal of the composed form is safe. What is too long for the name of
  /// a file fails to be set, as a level may.
  private func file(_ key: String) -> URL {
    let bytes = key.precomposedStringWithCanonicalMapping.utf8
    return url.appendingPathComponent("k" + bytes.map { String(format: "%02x", $0) }.joined())
  }

  /// The level: functions that answer at once, each of them one step whichever thread calls it.
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

// It adds up like any other level, and a get that finds its value beneath fills it.
let folder = try Folder()
let numerals = Fetcher<String, String> { text in
  guard let number = Int(text) else { throw CacheError.notFound }
  return String(repeating: "I", count: number)
}
let cache = Cache<String, String>.memory(capacity: 10) + folder.cache.named("folder") + numerals
print("\(cache.plan): 3 is \(try await cache.value(for: "3"))")
let kept = try await folder.cache.value(for: "3")
precondition(kept == "III")

// A plan says what nobody has told it: how much the folder may hold.
for remark in cache.plan.advice where remark.kind == .unbounded { print(remark) }

// Is it a level? One line asks; a violation would show the smallest program that breaks a law.
try Laws.check(.level("folder", isPersistent: true) { (try? Folder())?.cache ?? .empty })
print("every law of a level holds")
