import Foundation

/// A trace of requests, which lists the requested keys in order.
struct RequestTrace: Equatable, Sendable {
  /// The file name without its directory and extension, or `-` for standard input.
  var name: String
  /// The distinct keys, in the order of their first appearance.
  let keys: [String]
  /// The requests in order. They are indices into `keys`.
  let requests: [Int]
  /// The sizes of the keys, or `nil` if the trace has no sizes. All sizes are at least 1.
  private(set) var sizes: [Int]?

  /// The maximum sum of the sizes of all requests. Because of this limit, no policy's sums exceed
  /// the range of integers.
  static let maximumSum = 1 << 61

  /// Parses text with one key per line. Lines end with LF or CR LF or, in a text without LF, with
  /// CR. The last line doesn't need a line break. Byte order marks are ignored.
  ///
  /// - Parameters:
  ///   - file: The file name for error messages.
  ///   - isSized: Whether each key is followed by a space, tab, or comma, and then a size. When a
  ///     key occurs several times, its first size counts.
  /// - Throws: A ``TraceError``, which contains the line number if a line is invalid.
  init(name: String, _ bytes: [UInt8], file: String, isSized: Bool = false) throws {
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      throw TraceError(file, "is UTF-16: iconv -f UTF-16 -t UTF-8 TRACE | strata-tool hitratio -")
    }
    let bytes = bytes.withoutByteOrderMark
    if bytes.starts(with: [0x1F, 0x8B]) { throw TraceError(file, "is compressed: \(Self.remedy)") }
    var numbers: [String: Int] = [:]
    var (keys, requests, sizes): ([String], [Int], [Int]) = ([], [], [])
    var sum = 0
    let end: UInt8 = bytes.contains(0x0A) ? 0x0A : 0x0D
    var lines = bytes.split(separator: end, omittingEmptySubsequences: false)
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
        else { throw TraceError(file, line: index + 1, "needs a size, at least 1, after the key") }
        (key, size) = (String(key[..<last]), number)
      }
      let number = numbers[key] ?? keys.count
      if number == keys.count {
        numbers[key] = number
        keys.append(key)
        sizes.append(size)
      }
      requests.append(number)
      sum += sizes[number]
      guard sum <= Self.maximumSum else {
        throw TraceError(file, line: index + 1, "raises the sum of the sizes above 2^61")
      }
    }
    guard !requests.isEmpty else { throw TraceError(file, "has no requests") }
    self.init(name: name, keys: keys, requests: requests, sizes: isSized ? sizes : nil)
  }

  private static let remedy = "gzip -dc TRACE.gz | strata-tool hitratio -"

  /// Creates a trace from distinct keys and their sizes. Requests are indices into `keys`.
  init(name: String, keys: [String], requests: [Int], sizes: [Int]? = nil) {
    (self.name, self.keys, self.requests, self.sizes) = (name, keys, requests, sizes)
  }

  /// Reads a trace from a file, or from standard input if the path is `-`. Paths that begin with
  /// `@` select synthetic traffic.
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
    try self.init(
      name: path == "-" ? path : Self.baseName(of: path), Array(bytes),
      file: path == "-" ? "standard input" : path.printable,
      isSized: isSized)
  }
}

extension RequestTrace {
  private static func baseName(of path: String) -> String {
    let name = path.printable.split(separator: "/").last.map(String.init) ?? path.printable
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
    return String(name[..<dot])
  }

  /// Returns the names of the traces in tables and charts. Traces with the same base name are
  /// named after their paths, and a path that occurs repeatedly is numbered.
  static func names(_ traces: [(name: String, path: String)]) -> [String] {
    let counts = Dictionary(traces.map { ($0.name, 1) }, uniquingKeysWith: +)
    var taken: Set<String> = []
    return traces.map { trace in
      let plain = counts[trace.name, default: 1] == 1 ? trace.name : trace.path.printable
      var (name, number) = (plain, 1)
      while !taken.insert(name).inserted {
        number += 1
        name = "\(plain) (\(number))"
      }
      return name
    }
  }

  /// Returns the bytes of a file. Unlike `Data(contentsOf:)`, this function can also read a pipe.
  private static func bytes(of path: String) throws -> Data {
    let descriptor = open(path.rawBytes, O_RDONLY)
    if descriptor < 0, errno == ENOENT {
      let made = Made.allCases.map(\.rawValue).joined(separator: ", ")
      throw TraceError(
        path.printable, path.hasPrefix("@") ? "isn't one of \(made)" : "doesn't exist")
    }
    guard descriptor >= 0 else { throw SystemError("\(path.printable) cannot be read") }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do { return try file.readToEnd() ?? Data() } catch {
      throw FileFault("\(path.printable) cannot be read", error)
    }
  }
}

extension [UInt8] {
  /// The bytes after the byte order mark of UTF-8, which some editors write at the beginning.
  var withoutByteOrderMark: [UInt8] {
    starts(with: [0xEF, 0xBB, 0xBF]) ? Array(dropFirst(3)) : self
  }
}

/// The error for an invalid trace.
struct TraceError: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ file: String, line: Int? = nil, _ fault: String) {
    description = line.map { "\(file): line \($0) \(fault)" } ?? "\(file) \(fault)"
  }
}
