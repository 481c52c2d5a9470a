import Foundation

/// The three files that a process is given.
enum StandardStreams {
  /// Puts in the place of one that is closed one that refuses, or what is opened next would take
  /// the place, and be read and written as if it were the one.
  ///
  /// To be called before anything is opened.
  static func fill() {
    for (descriptor, wrongWay) in [(STDIN_FILENO, O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)]
    where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", wrongWay)  // The lowest number that is free: this one.
    }
  }

  /// All that comes from standard input.
  static func input() throws -> Data {
    do { return try FileHandle.standardInput.readToEnd() ?? Data() } catch {
      throw FileFault("standard input cannot be read", error)
    }
  }
}
