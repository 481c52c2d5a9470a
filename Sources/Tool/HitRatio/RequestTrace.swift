import Foundation

/// A trace of requests, which lists the requested keys in order.
struct RequestTrace: Equatable, Sendable {
  /// The file name without its directory and extension, or `-` for standard input.
  let name: String
  /// The distinct keys, in the order of their first appearance.
  let keys: [String]
  /// The requests in order. Each request is an index into `keys`.
  let requests: [Int]
  /// The sizes of the keys, or `nil` if the trace has no sizes. Each size is at least 1.
  private(set) var sizes: [Int]?

  /// Parses text with one key per line. A line ends with LF or CR LF, but the last line may end
  /// without a line break.
  ///
  /// - Parameters:
  ///   - file: The file name for error messages.
  ///   - isSized: Whether each key is followed by a space, tab, or comma, and then a size. If a key
  ///     occurs several times, the trace uses the first size of the key.
  /// - Throws: A ``TraceError``, which contains the line number if a line is invalid.
  init(name: String, _ bytes: [UInt8], file: String, isSized: Bool = false) throws {
    if bytes.starts(with: [0x1F, 0x8B]) { throw TraceError(file, "is compressed: \(Self.remedy)") }
    var numbers: [String: Int] = [:]
    var (keys, requests, sizes): ([String], [Int], [Int]) = ([], [], [])
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    for (index, line) in lines.enumerated() {
      let line = line.last == 0x0D ? line.dropLast() : line
      guard !line.isEmpty else { throw TraceError(file, line: index + 1, "is empty") }
      guard var key = String(validating: line, as: UTF8.self) else {
        throw TraceError(file, line: index + 1, "is not UTF-8")
      }
      var size = 1
      if isSized {
        guard let last = key.lastIndex(where: " \t,".contains), last > key.startIndex,
          let number = Int(key[key.index(after: last)...]), (1...(1 << 48)).contains(number)
        else { throw TraceError(file, line: index + 1, "has no size, one or more, after the key") }
        (key, size) = (String(key[..<last]), number)
      }
      let number = numbers[key] ?? keys.count
      if number == keys.count {
        numbers[key] = number
        keys.append(key)
        sizes.append(size)
      }
      requests.append(number)
    }
    guard !requests.isEmpty else { throw TraceError(file, "has no requests") }
    self.init(name: name, keys: keys, requests: requests, sizes: isSized ? sizes : nil)
  }

  private static let remedy = "gzip -dc TRACE.gz | strata-tool hitratio -"

  /// Creates a trace from distinct keys and their sizes. Each request is an index into `keys`.
  init(name: String, keys: [String], requests: [Int], sizes: [Int]? = nil) {
    (self.name, self.keys, self.requests, self.sizes) = (name, keys, requests, sizes)
  }

  /// Reads a trace from a file, or from standard input if the path is `-`. A path that begins with
  /// `@` selects synthetic traffic.
  init(at path: String, isSized: Bool = false) throws {
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
      name: path == "-" ? path : file, Array(bytes), file: path == "-" ? "standard input" : path,
      isSized: isSized)
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
