#if canImport(CStrataCurl) && canImport(Glibc)
  internal import CStrataCurl
  import Glibc

  /// A queue of commands that any thread can add. The thread that adds a command also runs it, if
  /// libcurl is free. Otherwise, the transport's thread does.
  final class CurlCommands: Sendable {
    /// Work that uses libcurl. Its argument is the reactor, or `nil` if the transport's thread can't
    /// serve requests.
    typealias Command = @Sendable (CurlReactor?) -> Void

    private struct State {
      var commands: [Command] = []
      var nextID: UInt64 = 0
      var descriptor: Int32 = -1
      /// Whether the descriptor is readable.
      var isSignalled = false
      var loop: CurlLoop?
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
        if state.descriptor < 0 {
          state.descriptor = strata_eventfd_open()
          state.isSignalled = true
        }
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

    /// Sets the loop whose commands can run on any thread. With `nil`, commands wait for the
    /// transport's thread.
    func attach(_ loop: CurlLoop?) { state.withLock { $0.loop = loop } }

    /// Adds a command, and runs all waiting commands unless libcurl is in use. In that
    /// case, wakes the transport's thread, which runs them.
    func add(_ command: @escaping Command) {
      let loop = state.withLock { state in
        state.commands.append(command)
        return state.loop
      }
      if loop?.runCommands() != true { wake() }
    }

    /// Adds a command that the transport's thread runs.
    func leave(_ command: @escaping Command) {
      state.withLock { $0.commands.append(command) }
      wake()
    }

    /// Wakes the transport's thread.
    func wake() {
      state.withLock { state in
        guard !state.isSignalled, state.descriptor >= 0 else { return }
        state.isSignalled = true
        eventfd_write(state.descriptor, 1)
      }
    }

    /// Removes and runs all commands, in order.
    func run(by reactor: CurlReactor?) {
      let commands = state.withLock { state in
        if state.isSignalled {
          var count: UInt64 = 0
          _ = read(state.descriptor, &count, 8)
          state.isSignalled = false
        }
        defer { state.commands = [] }
        return state.commands
      }
      for command in commands { command(reactor) }
    }
  }
#endif
