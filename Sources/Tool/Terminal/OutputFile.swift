import Foundation
import Strata

/// An output file that is written when the command finishes.
struct OutputFile: Equatable, Sendable {
  let path: String

  init(_ path: String) { self.path = path }

  /// Throws an error if the file can't be written. Commands call this function before they start
  /// their work.
  func check() throws {
    let kind = Self.kind(of: path)
    guard kind != .folder else {
      throw FileFault("\(path.printable) cannot be written: it is a directory")
    }
    guard access((kind == .absent ? folder + "/." : path).rawBytes, W_OK) == 0 else {
      throw SystemError("\(path.printable) cannot be written")
    }
  }

  /// Writes text, replacing the contents of the file.
  ///
  /// When the text can't be written completely, for example because the volume is full, an existing
  /// file keeps its contents. For this, the function first writes the text to a new file in the
  /// same directory. It writes devices and pipes in place, and also files in a directory in which
  /// no file can be created.
  func write(_ text: String) throws {
    let place = Self.place(of: path)
    guard Self.kind(of: place) != .other else { return try write(text, to: open(place, O_WRONLY)) }
    // The contents of a private file are private from the beginning.
    var status = stat()
    let mode = fstatat(AT_FDCWD, place.rawBytes, &status, 0) == 0 ? status.st_mode & 0o7777 : nil
    let name = "\(Self.folder(of: place))/.strata-tool-\(UUID().uuidString)"
    let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL, mode == nil ? 0o644 : 0o600)
    if descriptor < 0, [EACCES, EPERM, EROFS].contains(errno) {
      return try write(text, to: open(place, O_WRONLY | O_CREAT | O_TRUNC))
    }
    do {
      try write(text, to: descriptor, mode: mode)
      guard rename(name.rawBytes, place.rawBytes) == 0 else {
        throw SystemError("\(path.printable) cannot be written")
      }
    } catch {
      unlink(name.rawBytes)
      throw error
    }
  }

  /// Whether both paths lead to the same file.
  func isSame(as other: String) -> Bool {
    var (one, two) = (stat(), stat())
    guard fstatat(AT_FDCWD, path.rawBytes, &one, 0) == 0,
      fstatat(AT_FDCWD, other.rawBytes, &two, 0) == 0
    else {
      return path == other
    }
    return one.st_dev == two.st_dev && one.st_ino == two.st_ino
      && one.st_mode & S_IFMT == S_IFREG
  }

  private var folder: String { Self.folder(of: Self.place(of: path)) }

  private enum Kind { case absent, regular, folder, other }

  private static func kind(of path: String) -> Kind {
    var status = stat()
    guard fstatat(AT_FDCWD, path.rawBytes, &status, 0) == 0 else { return .absent }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return .folder
    case S_IFREG: return .regular
    default: return .other
    }
  }

  /// Returns the path of the file itself if the given path is a symbolic link.
  private static func place(of path: String) -> String {
    var path = path
    for _ in 0..<40 {
      var target = [CChar](repeating: 0, count: 4096)
      let count = readlink(path.rawBytes, &target, target.count)
      guard count > 0, kind(of: path) != .other else { return path }
      let text = target[..<count].withUnsafeBytes(RawText.text)
      path = text.hasPrefix("/") ? text : "\(folder(of: path))/\(text)"
    }
    return path
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private func open(_ path: String, _ flags: Int32, _ mode: mode_t = 0o644) -> Int32 {
    Foundation.open(path.rawBytes, flags, mode)
  }

  /// Writes text to a descriptor, which this function closes. Changes the permissions of the file
  /// if `mode` isn't `nil`.
  private func write(_ text: String, to descriptor: Int32, mode: mode_t? = nil) throws {
    guard descriptor >= 0 else { throw SystemError("\(path.printable) cannot be written") }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    if let mode { fchmod(descriptor, mode) }
    do { try file.write(contentsOf: Data(text.utf8)) } catch {
      throw FileFault("\(path.printable) cannot be written", error)
    }
  }
}

/// Writes all files. When a file can't be written, the function continues with the next one.
///
/// - Parameter complain: A closure that receives the messages of all errors that the function
///   doesn't throw. Only the last error is thrown.
func writeAll(
  _ files: [(file: OutputFile?, text: () throws -> String)], _ complain: (String) -> Void
) throws {
  var fault: (any Error)?
  for (file, text) in files {
    guard let file else { continue }
    do { try file.write(text()) } catch {
      if let fault { complain("strata-tool: \(fault)") }
      fault = error
    }
  }
  if let fault { throw fault }
}

/// The error for a file that can't be read or written.
struct FileFault: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// Creates an error whose description ends with the reason that the system gave for the failure.
  init(_ description: String, _ error: any Error) {
    let faults = sequence(first: error as NSError) { $0.userInfo[NSUnderlyingErrorKey] as? NSError }
    let code = faults.first { $0.domain == NSPOSIXErrorDomain }?.code
    let reason = code.map { ": " + String(cString: strerror(Int32($0))) } ?? ""
    self.init(description + reason)
  }
}
