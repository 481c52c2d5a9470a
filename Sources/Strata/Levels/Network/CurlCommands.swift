#if canImport(CStrataCurl) && canImport(Glibc)
  internal import CStrataCurl
  import Glibc

  /// The queue through which all threads reach the transport's thread.
  final class CurlCommands: Sendable {
    enum Command: Sendable {
      case start(UInt64, OutgoingRequest, any ResponseReceiver)
      case cancel(UInt64)
      case stop
    }

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

    /// Opens a descriptor that is readable now and whenever a command arrives. Returns a negative
    /// number if the process has too many open files.
    func open() -> Int32 {
      state.withLock { state in
        if state.descriptor < 0 { state.descriptor = strata_eventfd_open() }
        return state.descriptor
      }
    }

    /// Adds a request, and returns its ID.
    func start(_ request: OutgoingRequest, _ receiver: any ResponseReceiver) -> UInt64 {
      let id = state.withLock { state in
        state.nextID += 1
        return state.nextID
      }
      add(.start(id, request, receiver))
      return id
    }

    func add(_ command: Command) {
      state.withLock { state in
        state.commands.append(command)
        if state.commands.count == 1, state.descriptor >= 0 { eventfd_write(state.descriptor, 1) }
      }
    }

    /// Removes and returns all commands, in order.
    @inline(never)
    func take() -> [Command] {
      state.withLock { state in
        var count: UInt64 = 0
        if state.descriptor >= 0 { _ = read(state.descriptor, &count, 8) }
        defer { state.commands = [] }
        return state.commands
      }
    }

    /// Fails all requests, because no thread can serve them.
    func refuseAll() {
      for case .start(_, _, let receiver) in take() {
        receiver.finish(CurlError(code: 2, text: "The process has too many open files"))
      }
    }
  }
#endif
