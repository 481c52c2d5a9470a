import Foundation
import Strata

/// Test records of equal size, and a directory for the caches that store the records.
final class Shelf: Sendable {
  let directory: URL
  let data: Data
  let names: Keys<String>
  let cache: Cache<String, Data>
  private let temporary: TemporaryDirectory

  init(size: Int, count: Int) throws {
    temporary = try TemporaryDirectory()
    directory = temporary.url
    names = Keys(count, String.numbered)
    // The bytes are random, because a file system might compress repetitive bytes.
    var random = SystemRandomNumberGenerator()
    data = Data((0..<size).map { _ in UInt8.random(in: 0...255, using: &random) })
    cache = .disk("bench", in: temporary.url, capacity: 1 << 30)
  }

  deinit { temporary.remove() }

  /// Returns the file for the record at an index. Only the baselines with one file per record
  /// call this function.
  func file(_ index: Int) -> URL { file(names[index]) }

  func file(_ name: String) -> URL { directory.appendingPathComponent(String(name.suffix(11))) }
}
