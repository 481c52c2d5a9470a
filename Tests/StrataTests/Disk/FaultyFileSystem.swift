import Foundation

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// The real file system, except that chosen calls fail and all calls are recorded.
final class FaultyFileSystem: Sendable {
  /// A function that returns the error code of a failing call, or `nil` if the call succeeds. The
  /// calls are numbered from 1.
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
  /// If this number isn't `nil`, a faulty append writes at most this many bytes and succeeds.
  let shortened = Lock<Int?>(nil)

  init(shortens: Bool = false, fault: @escaping Fault = { _, _ in nil }) {
    self.shortens = shortens
    state = Lock(State(fault: fault))
  }

  /// Returns a file system whose n-th call fails. With `forEver`, all later calls fail too.
  static func failing(_ n: Int, forEver: Bool, with code: Int32) -> FaultyFileSystem {
    FaultyFileSystem { number, _ in number == n || (forEver && number > n) ? code : nil }
  }

  var calls: [String] { state.withLock { $0.calls } }
  var fired: Int { state.withLock { $0.fired } }
  var openDescriptors: Set<Descriptor> { state.withLock { $0.open } }

  func setFault(_ fault: @escaping Fault) { state.withLock { $0.fault = fault } }

  private func enter(_ operation: String) throws(FileError) {
    let code = state.withLock { state -> Int32? in
      state.calls.append(operation)
      let code = state.fault(state.calls.count, operation)
      if code != nil { state.fired += 1 }
      return code
    }
    if let code { throw FileError(operation: operation, code: code) }
  }

  private func tracked(_ file: Descriptor) -> Descriptor {
    state.withLock { _ = $0.open.insert(file) }
    return file
  }

  var files: FileSystem {
    let system = FileSystem.system
    var files = system
    files.makeDirectory = { path throws(FileError) in
      try self.enter("makeDirectory")
      try system.makeDirectory(path)
    }
    files.names = { folder throws(FileError) in
      try self.enter("names")
      return try system.names(folder)
    }
    files.open = { folder, name, mode throws(FileError) in
      try self.enter(mode.call)
      return self.tracked(try system.open(folder, name, mode))
    }
    files.lock = { file, operation throws(FileError) in
      if operation != LOCK_UN { try self.enter("lock") }
      try system.lock(file, operation)
    }
    files.status = { file throws(FileError) in
      try self.enter("status")
      return try system.status(file)
    }
    files.statusOf = { folder, name throws(FileError) in
      try self.enter("statusOf")
      return try system.statusOf(folder, name)
    }
    files.inode = { folder, name throws(FileError) in
      try self.enter("inode")
      return try system.inode(folder, name)
    }
    files.unlink = { folder, name throws(FileError) in
      try self.enter("unlink")
      try system.unlink(folder, name)
    }
    files.rename = { folder, name, new throws(FileError) in
      try self.enter("rename")
      try system.rename(folder, name, new)
    }
    files.link = { path, folder, name throws(FileError) in
      try self.enter("link")
      try system.link(path, folder, name)
    }
    files.close = { file in
      self.state.withLock { _ = $0.open.remove(file) }
      system.close(file)
    }
    files.end = { file throws(FileError) in
      try self.enter("end")
      return try system.end(file)
    }
    files.position = { file throws(FileError) in
      try self.enter("position")
      return try system.position(file)
    }
    files.read = { file, bytes, position throws(FileError) in
      try self.enter("read")
      guard self.shortens else { return try system.read(file, bytes, position) }
      return try system.read(
        file, UnsafeMutableRawBufferPointer(rebasing: bytes.prefix(7)), position)
    }
    files.lengthen = { file, length throws(FileError) in
      try self.enter("lengthen")
      try system.lengthen(file, length)
    }
    files.append = { file, parts throws(FileError) in
      let failure = Result { () throws(FileError) in try self.enter("append") }
      guard case .failure(let error) = failure else { return try system.append(file, parts) }
      guard let shortened = self.shortened.withLock({ $0 }) else { throw error }
      // Writes only some of the bytes, as happens on a volume that becomes full.
      let part = UnsafeRawBufferPointer(rebasing: parts.head.prefix(shortened))
      return try system.append(file, RecordParts(head: part))
    }
    files.sync = { file throws(FileError) in
      try self.enter("sync")
      try system.sync(file)
    }
    return files
  }
}

extension OpenMode {
  /// The name that a `FaultyFileSystem` records in `calls` when it opens a file in this mode.
  var call: String {
    switch self {
    case .directory: "openDirectory"
    case .read: "open"
    case .append: "openForAppending"
    case .create: "create"
    case .lock: "openLock"
    }
  }
}

extension Int {
  /// Subtracts one, and returns whether the number was positive before the subtraction.
  mutating func countDown() -> Bool {
    self -= 1
    return self >= 0
  }
}
