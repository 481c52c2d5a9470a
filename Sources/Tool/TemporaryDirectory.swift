import Foundation
import Strata

/// A temporary directory that is removed even if a signal ends the process.
///
/// This directory is in `TMPDIR`, and only the current user can access it. It's created and
/// registered in one atomic step, so the signal handler can't miss it.
struct TemporaryDirectory: Sendable {
  let url: URL

  private static let existing = Lock<Set<URL>>([])

  /// Creates a new directory.
  init() throws {
    url = try Self.existing.withLock { existing in
      let parent = FileManager.default.temporaryDirectory
      var template = Array(parent.appendingPathComponent("strata-tool-XXXXXX").path.utf8CString)
      guard mkdtemp(&template) != nil else {
        throw SystemError("can't create a temporary directory in \(parent.path)")
      }
      let path = template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      let url = URL(fileURLWithPath: String(decoding: path, as: UTF8.self), isDirectory: true)
      existing.insert(url)
      return url
    }
  }

  /// Removes the directory and its contents.
  func remove() {
    Self.existing.withLock { existing in
      existing.remove(url)
      Self.remove(url)
    }
  }

  /// Removes all temporary directories. New directories can't be created until `then` has returned.
  static func removeAll(then: () -> Void) {
    existing.withLock { existing in
      existing.forEach(remove)
      existing = []
      then()
    }
  }

  // Removes a directory repeatedly until it stays absent for a while, because an in-flight write
  // might recreate the directory.
  private static func remove(_ url: URL) {
    var absences = 0
    for _ in 0..<200 where absences < 4 {
      try? FileManager.default.removeItem(at: url)
      Thread.sleep(forTimeInterval: 0.005)
      absences = FileManager.default.fileExists(atPath: url.path) ? 0 : absences + 1
    }
  }
}

/// The error for a failed system call.
struct SystemError: Error, CustomStringConvertible {
  let description: String

  init(_ what: String, code: Int32 = errno) {
    description = "\(what): \(String(cString: strerror(code)))"
  }
}
