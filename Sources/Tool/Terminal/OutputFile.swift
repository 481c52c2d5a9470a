import Foundation

/// A file that is written when the work is done.
struct OutputFile: Equatable, Sendable {
  let path: String

  init(_ path: String) { self.path = path }

  /// Looks before the work begins whether it can be written, lest that be lost to a wrong name.
  func check() throws {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    guard !isFolder.boolValue else { throw FileFault("\(path) cannot be written: it is a folder") }
    let parent = (path as NSString).deletingLastPathComponent
    guard access(exists ? path : parent.isEmpty ? "." : parent + "/.", W_OK) == 0 else {
      throw SystemError("\(path) cannot be written")
    }
  }

  /// Writes a text, in the place of what is there.
  func write(_ text: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard descriptor >= 0 else { throw SystemError("\(path) cannot be written") }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do { try file.write(contentsOf: Data(text.utf8)) } catch {
      throw FileFault("\(path) cannot be written", error)
    }
  }
}

/// Writes every file of some, whatever becomes of the others.
///
/// - Parameter complain: Told of all that failed but for the last, whose error is thrown.
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

/// A file that cannot be used, and why.
struct FileFault: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// With what the system says of it.
  init(_ description: String, _ error: any Error) {
    let faults = sequence(first: error as NSError) { $0.userInfo[NSUnderlyingErrorKey] as? NSError }
    let code = faults.first { $0.domain == NSPOSIXErrorDomain }?.code
    let reason = code.map { ": " + String(cString: strerror(Int32($0))) } ?? ""
    self.init(description + reason)
  }
}
