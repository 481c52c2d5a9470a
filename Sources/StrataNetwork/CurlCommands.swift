#if canImport(CStrataCurl) && canImport(Glibc)
  internal import CStrataCurl
  import Glibc

  /// A queue through which any thread can send commands to the transport's thread.
  final class CurlCommands: Sendable {
    /// Work for the transport's thread. Its argument is the thread's event loop, or `nil` if the
    /// thread can't serve requests.
    typealias Command = @Sendable (CurlReactor?) -> Void

    private struct State {
      var commands: [Command] = []
      var nextID: UInt64 = 0
      var descriptor: Int32 = -1
    }

    private let state = Lock(State())

    deinit {
      let descriptor = state.withLock { $0.descriptor }
      if descriptor >= 0 { close(descriptor) }
    }

    /// Opens a descriptor that is readable at first, and becomes readable again whenever a command
    /// arrives.
    ///
    /// - Returns: The descriptor, or a negative number if the process has too many open files.
    func open() -> Int32 {
      state.withLock { state in
        if state.descriptor < 0 { state.descriptor = strata_eventfd_open() }
        return state.descriptor
      }
    }

    /// Adds a command that starts a request, and returns the request's ID.
    func start(_ request: OutgoingRequest, _ receiver: any ResponseReceiver) -> UInt64 {
      let id = state.withLock { state in
        state.nextID += 1
        return state.nextID
      }
      add { reactor in
        guard let reactor else {
          let text = "The process has too many open files"
          return receiver.finish(CurlError(code: 2, text: text))
        }
        reactor.start(id, request, receiver)
      }
      return id
    }

    func add(_ command: @escaping Command) {
      state.withLock { state in
        state.commands.append(command)
        if state.commands.count == 1, state.descriptor >= 0 { eventfd_write(state.descriptor, 1) }
      }
    }

    /// Removes and runs all commands, in order.
    func run(by reactor: CurlReactor?) {
      let commands = state.withLock { state in
        var count: UInt64 = 0
        if state.descriptor >= 0 { _ = read(state.descriptor, &count, 8) }
        defer { state.commands = [] }
        return state.commands
      }
      for command in commands { command(reactor) }
    }
  }
#endif
