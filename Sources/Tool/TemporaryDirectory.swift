import Foundation

/// A directory of one's own that is gone in the end, however the process ends.
///
/// It lies where `TMPDIR` says, open to nobody else. Making it and noting that it has to be removed
/// are one step, so an interruption finds either no directory or one that it knows of.
struct TemporaryDirectory: Sendable {
  let url: URL

  private static let existing = Guarded<Set<URL>>([])

  /// Makes a directory that no one has used before.
  init() throws {
    url = try Self.existing.withLock { existing in
      let parent = FileManager.default.temporaryDirectory
      var template = Array(parent.appendingPathComponent("strata-tool-XXXXXX").path.utf8CString)
      guard mkdtemp(&template) != nil else {
        throw SystemError("no temporary directory can be made in \(parent.path)")
      }
      let path = template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      let url = URL(fileURLWithPath: String(decoding: path, as: UTF8.self), isDirectory: true)
      existing.insert(url)
      return url
    }
  }

  /// Removes the directory and what is in it.
  func remove() {
    Self.existing.withLock { existing in
      existing.remove(url)
      Self.remove(url)
    }
  }

  /// Removes all directories there are, and makes no new ones until `then` has returned.
  static func removeAll(then: () -> Void) {
    existing.withLock { existing in
      existing.forEach(remove)
      existing = []
      then()
    }
  }

  // A write that is under way makes the directory anew: it has to stay away for a while.
  private static func remove(_ url: URL) {
    var absences = 0
    for _ in 0..<200 where absences < 4 {
      try? FileManager.default.removeItem(at: url)
      Thread.sleep(forTimeInterval: 0.005)
      absences = FileManager.default.fileExists(atPath: url.path) ? 0 : absences + 1
    }
  }
}

/// A call of the system that failed, and why.
struct SystemError: Error, CustomStringConvertible {
  let description: String

  init(_ what: String, code: Int32 = errno) {
    description = "\(what): \(String(cString: strerror(code)))"
  }
}
