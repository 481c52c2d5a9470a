import Foundation

extension String {
  /// Writes this text as a file, in the place of one that is there.
  func write(toFile path: String) throws {
    do { try Data(utf8).write(to: URL(fileURLWithPath: path)) } catch {
      throw FileFault("\(path) cannot be written")
    }
  }
}

/// A file that cannot be used, and why.
struct FileFault: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
