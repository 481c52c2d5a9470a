import Foundation

/// An output file that is written when the command finishes.
struct OutputFile: Equatable, Sendable {
  let path: String

  init(_ path: String) { self.path = path }

  /// Throws an error if the file can't be written. Commands call this function before they start
  /// their work.
  func check() throws {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    guard !isFolder.boolValue else {
      throw FileFault("\(path) cannot be written: it is a directory")
    }
    let parent = (path as NSString).deletingLastPathComponent
    guard access(exists ? path : parent.isEmpty ? "." : parent + "/.", W_OK) == 0 else {
      throw SystemError("\(path) cannot be written")
    }
  }

  /// Writes text, replacing the contents of the file.
  func write(_ text: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard descriptor >= 0 else { throw SystemError("\(path) cannot be written") }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do { try file.write(contentsOf: Data(text.utf8)) } catch {
      throw FileFault("\(path) cannot be written", error)
    }
  }
}

/// Writes all files. If a file can't be written, this function continues with the next file.
///
/// - Parameter complain: A closure that receives the messages of all errors that the function
///   doesn't throw. The function throws only the last error.
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
