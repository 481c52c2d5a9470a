import Foundation

/// A trace: the requested keys in order.
struct RequestTrace: Equatable, Sendable {
  /// The file name without its directory and extension, or `-` for standard input.
  let name: String
  /// The distinct keys, in the order of their first appearance.
  let keys: [String]
  /// The requests in order. Each request is the index of a key.
  let requests: [Int]

  /// Parses one key per line, separated by LF or CR LF. The last separator is optional.
  ///
  /// - Parameter file: The file name for error messages.
  /// - Throws: ``TraceError`` with the number of the invalid line.
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
    guard !requests.isEmpty else { throw TraceError(file, "has no requests") }
    self.init(name: name, keys: keys, requests: requests)
  }

  private static let remedy = "gzip -dc TRACE.gz | strata-tool hitratio -"

  /// Creates a trace from keys and the indices of the requests.
  init(name: String, keys: [String], requests: [Int]) {
    (self.name, self.keys, self.requests) = (name, keys, requests)
  }

  /// Reads a file, or standard input for `-`. A name that begins with `@` selects synthetic
  /// traffic.
  init(at path: String) throws {
    if let made = Self(madeAs: path) {
      self = made
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

extension RequestTrace {
  /// Returns the bytes of a file. Unlike `Data(contentsOf:)`, this function can also read a pipe.
  private static func bytes(of path: String) throws -> Data {
    let descriptor = open(path, O_RDONLY)
    if descriptor < 0, errno == ENOENT {
      let made = Made.allCases.map(\.rawValue).joined(separator: ", ")
      throw TraceError(path, path.hasPrefix("@") ? "isn't one of \(made)" : "doesn't exist")
    }
    guard descriptor >= 0 else { throw SystemError("\(path) cannot be read") }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do { return try file.readToEnd() ?? Data() } catch {
      throw FileFault("\(path) cannot be read", error)
    }
  }
}

/// The error for an invalid trace.
struct TraceError: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ file: String, line: Int? = nil, _ fault: String) {
    description = line.map { "\(file): line \($0) \(fault)" } ?? "\(file) \(fault)"
  }
}
