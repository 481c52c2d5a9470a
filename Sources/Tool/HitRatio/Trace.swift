import Foundation

/// Who asked for what, in the order in which it was asked.
struct Trace: Equatable, Sendable {
  /// The file without its folder and its last extension; `-` for standard input.
  let name: String
  /// The text of every key, by its number; numbers follow the first appearance.
  let keys: [String]
  /// The numbers of the keys that were asked for.
  let requests: [Int]

  /// Reads one key a line: any text, with line feeds or CR LF, the last one may be missing.
  ///
  /// - Parameter file: As messages name it.
  /// - Throws: ``TraceError``, with the number of the line that is not a key.
  init(name: String, _ bytes: [UInt8], file: String) throws {
    if bytes.starts(with: [0x1F, 0x8B]) { throw TraceError(file, "is compressed: \(Self.remedy)") }
    var numbers: [String: Int] = [:]
    var (keys, requests): ([String], [Int]) = ([], [])
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    for (index, line) in lines.enumerated() {
      let line = line.last == 0x0D ? line.dropLast() : line
      guard !line.isEmpty else { throw TraceError(file, line: index + 1, "is empty") }
      guard let key = String(validating: line, as: UTF8.self) else {
        throw TraceError(file, line: index + 1, "is not UTF-8")
      }
      let number = numbers[key] ?? keys.count
      if number == keys.count {
        numbers[key] = number
        keys.append(key)
      }
      requests.append(number)
    }
    guard !requests.isEmpty else { throw TraceError(file, "has no requests: one key a line") }
    self.init(name: name, keys: keys, requests: requests)
  }

  private static let remedy = "gzip -dc TRACE.gz | strata-tool hitratio -"

  /// Makes a trace of keys and the numbers of those asked for.
  init(name: String, keys: [String], requests: [Int]) {
    (self.name, self.keys, self.requests) = (name, keys, requests)
  }

  /// Reads a file, or standard input for `-`; makes what begins with `@`.
  init(at path: String) throws {
    if let kind = Made(rawValue: path) {
      self.init(kind)
      return
    }
    let bytes: Data
    if path == "-" {
      bytes = try StandardStreams.input()
    } else {
      bytes = try Self.bytes(of: path)
    }
    let file = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    try self.init(
      name: path == "-" ? path : file, Array(bytes), file: path == "-" ? "standard input" : path)
  }
}

extension Trace {
  /// Of a pipe as well, which `Data(contentsOf:)` does not read.
  private static func bytes(of path: String) throws -> Data {
    let descriptor = open(path, O_RDONLY)
    if descriptor < 0, errno == ENOENT {
      let made = Made.allCases.map(\.rawValue).joined(separator: ", ")
      throw TraceError(path, path.hasPrefix("@") ? "is none of \(made)" : "is not there")
    }
    guard descriptor >= 0 else { throw SystemError("\(path) cannot be read") }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do { return try file.readToEnd() ?? Data() } catch {
      throw FileFault("\(path) cannot be read", error)
    }
  }
}

/// A file that is no trace, and where.
struct TraceError: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ file: String, line: Int? = nil, _ fault: String) {
    description = line.map { "\(file): line \($0) \(fault)" } ?? "\(file) \(fault)"
  }
}
