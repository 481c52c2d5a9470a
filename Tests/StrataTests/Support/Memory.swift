import Foundation

/// What the process holds, as the kernel counts it; zero where there is no `/proc`.
enum Memory {
  /// Bytes of resident memory.
  static var resident: Int { value(of: "VmRSS") }

  /// Gives back what the allocator keeps though it is free, where it can be asked to.
  static func trim() {
    guard let symbol = dlsym(nil, "malloc_trim") else { return }
    _ = unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)(0)
  }

  /// Bytes that the allocator has given out, as it counts them; what it keeps though it is free,
  /// and what lies between, is not in it. `nil` where it cannot be asked.
  static var givenOut: Int? {
    #if arch(x86_64) && canImport(Glibc)
      // A structure of ten words, which is returned by an address that is passed before all else.
      guard let symbol = dlsym(nil, "mallinfo2") else { return nil }
      typealias Ask = @convention(c) (UnsafeMutablePointer<Int>) -> UnsafeMutableRawPointer?
      var words = [Int](repeating: 0, count: 10)
      _ = words.withUnsafeMutableBufferPointer { words in
        words.baseAddress.map { unsafeBitCast(symbol, to: Ask.self)($0) }
      }
      return words[4] + words[7]
    #else
      return nil
    #endif
  }

  /// Bytes of address space, whether anything lies there or not.
  static var addressSpace: Int { value(of: "VmSize") }

  /// The most there have been since the last reset.
  static var peak: Int { value(of: "VmHWM") }

  /// Whether a sanitizer keeps books of its own, which count as the process's memory.
  static var isInstrumented: Bool {
    dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil
  }

  static func resetPeak() {
    try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
  }

  /// The files that are open.
  static var openFiles: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
  }

  private static func value(of name: String) -> Int {
    let path = "/proc/self/status"
    guard let status = try? String(contentsOfFile: path, encoding: .utf8) else { return 0 }
    let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") } ?? ""
    return (line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0)
      * 1024
  }
}
