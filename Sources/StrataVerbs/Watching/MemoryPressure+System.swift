import Foundation

extension MemoryPressure {
  /// The source that reads memory pressure from the kernel's files in `/proc` and `/sys`.
  static let system = MemoryPressure(
    read: { try? String(contentsOfFile: $0, encoding: .utf8) },
    trigger: { path, threshold, warn in
      let file = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
      guard file >= 0 else { throw TriggerFailure(description: String(cString: strerror(errno))) }
      let text = threshold.utf8CString
      let written = text.withUnsafeBytes { write(file, $0.baseAddress!, $0.count) }
      let error = errno
      guard written == text.count, let end = watchPriorityEvents(of: file, warn) else {
        close(file)
        throw TriggerFailure(description: String(cString: strerror(error)))
      }
      return end
    },
    time: .system)

  /// Calls `warn` on a dedicated thread whenever `poll` reports an exceptional condition on a file.
  ///
  /// The thread is necessary because Dispatch on Linux can't wait for exceptional conditions. The
  /// thread closes the file when the caller calls the returned function, or when polling the file
  /// fails.
  static func watchPriorityEvents(
    of file: CInt, _ warn: @escaping @Sendable () -> Void
  ) -> (@Sendable () -> Void)? {
    var ends: [CInt] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (listening, ending) = (ends[0], ends[1])
    let thread = Thread {
      var files = [
        pollfd(fd: file, events: Int16(POLLPRI), revents: 0),
        pollfd(fd: listening, events: Int16(POLLIN), revents: 0),
      ]
      while true {
        let count = poll(&files, 2, -1)
        guard count > 0 else {
          if count < 0, errno == EINTR { continue }
          break
        }
        if files[1].revents != 0 || files[0].revents & Int16(POLLERR | POLLNVAL) != 0 { break }
        if files[0].revents & Int16(POLLPRI) != 0 { warn() }
      }
      close(file)
      close(listening)
    }
    thread.name = "strata.pressure"
    thread.start()
    return { close(ending) }
  }
}
