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
  /// How much a failing append writes all the same, instead of throwing.
  let shortened = Lock<Int?>(nil)

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
    files.openForAppending = { folder, name throws(FileSystemError) in
      try self.enter("openForAppending")
      return self.tracked(try system.openForAppending(folder, name))
    }
    files.statusAt = { path throws(FileSystemError) in
      try self.enter("statusAt")
      return try system.statusAt(path)
    }
    files.end = { file throws(FileSystemError) in
      try self.enter("end")
      return try system.end(file)
    }
    files.position = { file throws(FileSystemError) in
      try self.enter("position")
      return try system.position(file)
    }
    files.read = { file, bytes, position throws(FileSystemError) in
      try self.enter("read")
      guard self.shortens else { return try system.read(file, bytes, position) }
      return try system.read(
        file, UnsafeMutableRawBufferPointer(rebasing: bytes.prefix(7)), position)
    }
    files.readBoth = { file, head, tail, position throws(FileSystemError) in
      try self.enter("readBoth")
      guard self.shortens else { return try system.readBoth(file, head, tail, position) }
      return try system.read(
        file, UnsafeMutableRawBufferPointer(rebasing: head.prefix(7)), position)
    }
    files.lengthen = { file, length throws(FileSystemError) in
      try self.enter("lengthen")
      try system.lengthen(file, length)
    }
    files.append = { file, head, tail throws(FileSystemError) in
      let failure = Result { () throws(FileSystemError) in try self.enter("append") }
      guard case .failure(let error) = failure else { return try system.append(file, head, tail) }
      guard let shortened = self.shortened.withLock({ $0 }) else { throw error }
      // What a full volume does: some of it lands.
      let count = min(shortened, head.count)
      let part = UnsafeRawBufferPointer(rebasing: head.prefix(count))
      return try system.append(file, part, UnsafeRawBufferPointer(start: nil, count: 0))
    }
    files.sync = { file throws(FileSystemError) in
      try self.enter("sync")
      try system.sync(file)
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
