import Foundation

/// The three standard streams.
enum StandardStreams {
  /// Opens `/dev/null` as a replacement for each closed standard stream. Reading from a closed
  /// standard input still fails, and so does writing to a closed standard output or error stream.
  ///
  /// Without a replacement, the next opened file would take the stream's descriptor, and the
  /// program would mistake that file for the stream. Call this function before opening any file.
  static func fill() {
    for (descriptor, wrongWay) in [(STDIN_FILENO, O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)]
    where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", wrongWay)  // The system assigns the lowest free descriptor.
    }
  }

  /// Returns all bytes of standard input.
  static func input() throws -> Data {
    do { return try FileHandle.standardInput.readToEnd() ?? Data() } catch {
      throw FileFault("standard input cannot be read", error)
    }
  }
}
