import Foundation

@testable import Strata

/// The real file system, with chosen calls failing, and a list of all that was called.
final class FaultyFileSystem: Sendable {
  /// Decides, from the number of a call (from 1) and its operation, whether it fails and with what.
  typealias Fault = @Sendable (_ number: Int, _ operation: String) -> Int32?

  private struct State {
    var fault: Fault
    var calls: [String] = []
    var open: Set<Descriptor> = []
    var fired = 0
    var clock: Int64 = 0
  }

  private let state: Lock<State>
  private let shortens: Bool

  init(shortens: Bool = false, fault: @escaping Fault = { _, _ in nil }) {
    self.shortens = shortens
    state = Lock(State(fault: fault))
  }

  /// Fails the n-th call, or that and every later one.
  static func failing(_ n: Int, forEver: Bool, with code: Int32) -> FaultyFileSystem {
    FaultyFileSystem { number, _ in number == n || (forEver && number > n) ? code : nil }
  }

  var calls: [String] { state.withLock { $0.calls } }
  var fired: Int { state.withLock { $0.fired } }
  var openDescriptors: Set<Descriptor> { state.withLock { $0.open } }

  func setFault(_ fault: @escaping Fault) { state.withLock { $0.fault = fault } }

  private func enter(_ operation: String) throws(FileSystemError) {
    let code = state.withLock { state -> Int32? in
      state.calls.append(operation)
      let code = state.fault(state.calls.count, operation)
      if code != nil { state.fired += 1 }
      return code
    }
    if let code { throw FileSystemError(operation: operation, code: code) }
  }

  private func tracked(_ file: Descriptor) -> Descriptor {
    state.withLock { _ = $0.open.insert(file) }
    return file
  }

  var files: FileSystem {
    let system = FileSystem.system
    var files = system
    files.makeFolder = { path throws(FileSystemError) in
      try self.enter("makeFolder")
      try system.makeFolder(path)
    }
    files.openFolder = { path throws(FileSystemError) in
      try self.enter("openFolder")
      return self.tracked(try system.openFolder(path))
    }
    files.names = { folder throws(FileSystemError) in
      try self.enter("names")
      return try system.names(folder)
    }
    files.open = { folder, name throws(FileSystemError) in
      try self.enter("open")
      return self.tracked(try system.open(folder, name))
    }
    files.create = { folder, name throws(FileSystemError) in
      try self.enter("create")
      return self.tracked(try system.create(folder, name))
    }
    files.lock = { file throws(FileSystemError) in
      try self.enter("lock")
      try system.lock(file)
    }
    files.status = { file throws(FileSystemError) in
      try self.enter("status")
      return try system.status(file)
    }
    files.statusOf = { folder, name throws(FileSystemError) in
      try self.enter("statusOf")
      return try system.statusOf(folder, name)
    }
    files.read = { file, bytes, position throws(FileSystemError) in
      try self.enter("read")
      guard self.shortens else { return try system.read(file, &bytes, position) }
      var part = Array(bytes[..<min(position + 7, bytes.count)])
      let count = try system.read(file, &part, position)
      bytes.replaceSubrange(..<part.count, with: part)
      return count
    }
    files.write = { file, bytes throws(FileSystemError) in
      try self.enter("write")
      return try system.write(file, self.shortens ? bytes.prefix(max(1, bytes.count / 3)) : bytes)
    }
    files.setTime = { file, time throws(FileSystemError) in
      try self.enter("setTime")
      try system.setTime(file, time)
    }
    files.rename = { folder, old, new throws(FileSystemError) in
      try self.enter("rename")
      try system.rename(folder, old, new)
    }
    files.unlink = { folder, name throws(FileSystemError) in
      try self.enter("unlink")
      try system.unlink(folder, name)
    }
    files.close = { file throws(FileSystemError) in
      // Closed even if it fails, as by the system.
      self.state.withLock { _ = $0.open.remove(file) }
      try system.close(file)
      try self.enter("close")
    }
    return files
  }
}

extension Int {
  /// Counts down, and returns whether there was something left: "this and so many more times".
  mutating func countDown() -> Bool {
    self -= 1
    return self >= 0
  }
}
