import Foundation

/// A connection of hiredis, the C client for Redis, with its asynchronous functions. This library
/// is loaded at run time.
final class HiRedis: @unchecked Sendable {  // The benchmarks run one case at a time.
  private typealias Context = UnsafeMutableRawPointer
  private typealias Callback =
    @convention(c) (Context?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void

  /// The functions that the benchmarks need.
  private struct Library {
    let connect: @convention(c) (UnsafePointer<CChar>) -> Context?
    let command:
      @convention(c) (
        Context, Callback?, UnsafeMutableRawPointer?, Int32,
        UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int>
      ) -> Int32
    let (write, read): (@convention(c) (Context) -> Void, @convention(c) (Context) -> Void)
    let free: @convention(c) (Context) -> Void
    /// The offset of the file descriptor in a context.
    let descriptorOffset: Int

    /// Returns `nil` if the library isn't installed.
    init?() {
      let names = ["libhiredis.so.0.14", "libhiredis.so.1.1.0", "libhiredis.so.1.2.0"]
      for (index, name) in names.enumerated() {
        guard let library = dlopen(name, RTLD_NOW) else { continue }
        func function<Function>(_ name: String) -> Function? {
          dlsym(library, "redisAsync" + name).map { unsafeBitCast($0, to: Function.self) }
        }
        guard
          let connect: @convention(c) (UnsafePointer<CChar>) -> Context? = function(
            "ConnectUnix"),
          let command:
            @convention(c) (
              Context, Callback?, UnsafeMutableRawPointer?, Int32,
              UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int>
            ) -> Int32 = function("CommandArgv"),
          let write: @convention(c) (Context) -> Void = function("HandleWrite"),
          let read: @convention(c) (Context) -> Void = function("HandleRead"),
          let free: @convention(c) (Context) -> Void = function("Free")
        else { continue }
        (self.connect, self.command, self.write, self.read) = (connect, command, write, read)
        self.free = free
        descriptorOffset = index == 0 ? 132 : 140  // Version 1 has a table of functions before it.
        return
      }
      return nil
    }
  }

  /// A command with its arguments, in the form that the library takes.
  struct Command: @unchecked Sendable {  // Nothing changes or releases the arguments.
    fileprivate let words: [UnsafePointer<CChar>?]
    fileprivate let sizes: [Int]

    init(_ words: [Data]) {
      self.words = words.map { word in
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: word.count + 1)
        word.withUnsafeBytes {
          UnsafeMutableRawBufferPointer(start: copy, count: $0.count).copyMemory(from: $0)
        }
        return UnsafePointer(copy)
      }
      sizes = words.map(\.count)
    }
  }

  private let library: Library
  private let context: Context
  private let descriptor: Int32
  private let answered = UnsafeMutablePointer<Int>.allocate(capacity: 1)

  /// Returns `nil` if the library isn't installed or can't connect.
  init?(path: String) {
    guard let library = Library(), let context = library.connect(path) else { return nil }
    (self.library, self.context) = (library, context)
    descriptor = context.load(fromByteOffset: library.descriptorOffset, as: Int32.self)
    library.write(context)  // Completes the connection.
  }

  deinit {
    library.free(context)
    answered.deallocate()
  }

  /// Sends the commands together, and waits for all replies.
  func exchange(_ commands: [Command]) {
    answered.pointee = 0
    for command in commands {
      _ = library.command(
        context, { _, _, answered in answered?.assumingMemoryBound(to: Int.self).pointee += 1 },
        answered, Int32(command.words.count), command.words, command.sizes)
    }
    library.write(context)
    while answered.pointee < commands.count {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, 10_000) == 1 else { return }
      library.read(context)
      library.write(context)  // Sends the commands that didn't fit in the socket's buffer.
    }
  }
}
