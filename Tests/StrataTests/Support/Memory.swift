import Foundation

/// The memory of the process, as reported by the kernel. All values are zero on a system without
/// `/proc`.
enum Memory {
  /// The resident memory in bytes.
  static var resident: Int { value(of: "VmRSS") }

  /// Returns the allocator's free memory to the system, if the allocator supports this.
  static func trim() {
    guard let symbol = dlsym(nil, "malloc_trim") else { return }
    _ = unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)(0)
  }

  /// The number of allocated bytes according to the allocator, excluding free memory and
  /// fragmentation. The value is `nil` if the allocator doesn't report this number.
  static var givenOut: Int? {
    #if arch(x86_64) && canImport(Glibc)
      // The function returns a structure of ten words, which it writes to the address in its first
      // argument.
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

  /// Returns the number of bytes that the work leaves in use, or `nil` if the allocator doesn't
  /// report the number. Other threads may allocate memory during the work, so this function repeats
  /// the measurement and returns the lowest number of bytes. The function stops after 50
  /// measurements, or earlier if a measurement shows no growth.
  static func growth(_ work: () throws -> Void) rethrows -> Int? {
    var lowest = Int.max
    for _ in 0..<50 where lowest > 0 {
      guard let before = givenOut else { return nil }
      try work()
      guard let after = givenOut else { return nil }
      lowest = min(lowest, after - before)
    }
    return lowest
  }

  /// Returns the number of bytes in use for an object after `make` has returned it, or `nil` if the
  /// allocator doesn't report the number. Other threads may allocate memory during the work, so
  /// this function measures five objects and returns the lowest number of bytes.
  static func size<Object>(of make: () -> Object) -> Int? {
    var lowest = Int.max
    for _ in 0..<5 {
      guard let before = givenOut else { return nil }
      let object = make()
      guard let after = withExtendedLifetime(object, { givenOut }) else { return nil }
      lowest = min(lowest, after - before)
    }
    return lowest
  }

  /// Returns the size of an object that has worked on 1,000 keys minus the size of an object that
  /// has worked on 10 keys, in bytes. Returns zero if the allocator doesn't report sizes.
  static func sizeOfThousandKeys<Object>(_ make: (Range<Int>) -> Object) -> Int {
    guard let few = size(of: { make(0..<10) }), let many = size(of: { make(0..<1_000) }) else {
      return 0
    }
    return many - few
  }

  /// The size of the process's address space in bytes, including unused parts.
  static var addressSpace: Int { value(of: "VmSize") }

  /// The peak of resident memory since the last reset, in bytes.
  static var peak: Int { value(of: "VmHWM") }

  /// Whether a sanitizer is active. A sanitizer uses additional memory, so the process may exceed
  /// the memory limits of a test.
  static var isInstrumented: Bool {
    dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil
  }

  static func resetPeak() {
    try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
  }

  /// The number of open files, sockets, and pipes. Timers and events of the kernel aren't counted,
  /// because Dispatch opens them when it first needs them, and never closes them.
  static var openFiles: Int { openDescriptors(ofKernel: false) }

  /// The number of open timers, events, and event queues of the kernel.
  static var openEvents: Int { openDescriptors(ofKernel: true) }

  private static func openDescriptors(ofKernel isKernel: Bool) -> Int {
    let manager = FileManager.default
    let folder = "/proc/self/fd/"
    let descriptors = (try? manager.contentsOfDirectory(atPath: folder)) ?? []
    let targets = descriptors.map { try? manager.destinationOfSymbolicLink(atPath: folder + $0) }
    return targets.count { $0?.hasPrefix("anon_inode:") == isKernel }
  }

  private static func value(of name: String) -> Int {
    let path = "/proc/self/status"
    guard let status = try? String(contentsOfFile: path, encoding: .utf8) else { return 0 }
    let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") } ?? ""
    return (line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0)
      * 1024
  }
}
