#if canImport(CStrataCurl) && canImport(Glibc)
  internal import CStrataCurl
  import StrataCore

  /// The thread of a transport, which sleeps until a socket is ready, a timer fires, or a command
  /// arrives.
  ///
  /// A thread that adds a command mostly runs it itself, while this thread sleeps. So only the
  /// response wakes this thread, and not the request as well. If the response has arrived by then,
  /// not even that.
  final class CurlLoop: Sendable {
    private let reactor: Lock<CurlReactor>
    private let commands: CurlCommands
    private let epoll: Int32
    private let runsCommandsAnywhere: Bool
    /// Held by a thread that added a command and now reports the ends of exchanges. A receiver may
    /// start another exchange, and then the loop's thread reports its end. So a chain of redirects
    /// isn't a recursion. The state has no meaning. It isn't `Void`, because the thread sanitizer
    /// reports races in a state without size.
    private let reports = Lock(0)

    /// Creates a loop, or returns `nil` if the process has too many open files.
    init?(_ curl: CurlLibrary, _ commands: CurlCommands, _ settings: CurlSettings) {
      guard let reactor = CurlReactor(curl, commands, settings) else { return nil }
      (self.commands, epoll) = (commands, reactor.epoll)
      runsCommandsAnywhere = curl.neverWaitsForLookups
      self.reactor = Lock(reactor)
    }

    /// Runs until a command has stopped the loop and every exchange has ended.
    func run() {
      strata_block_signals(nil)
      if runsCommandsAnywhere { commands.attach(self) }
      withUnsafeTemporaryAllocation(of: strata_event.self, capacity: 64) { events in
        var count = 0
        while let pause = takeTurn(UnsafeBufferPointer(rebasing: events[..<count])) {
          count = events.baseAddress.map { Int(strata_epoll_wait(epoll, $0, pause)) } ?? 0
        }
      }
      commands.attach(nil)
      reactor.withLock { $0.shutDown() }
    }

    /// Handles events, and returns how long the thread may sleep, in milliseconds. Returns `nil` if
    /// the loop has ended.
    private func takeTurn(_ events: UnsafeBufferPointer<strata_event>) -> Int32? {
      let (pause, ends, _) = reactor.withLock {
        ($0.takeTurn(events), $0.takeEnds(), $0.takeCancelled())
      }
      Self.report(ends)
      return pause
    }

    private static func report(_ ends: [CurlReactor.End]) {
      for end in ends { end.receiver.finish(end.error) }
    }

    /// Runs the waiting commands on this thread, and wakes the loop's thread only if it must act
    /// now. Returns `false` if another thread uses libcurl, or if this function was called from
    /// there, or if other exchanges have work to do, which can take long.
    func runCommands() -> Bool {
      var signals = sigset_t()
      strata_block_signals(&signals)
      let result = reactor.withLockIfFree { reactor in
        reactor.isTimerDue
          ? nil : (reactor.runCommands(), reactor.takeEnds(), reactor.takeCancelled())
      }
      strata_restore_signals(&signals)
      guard let result, let (mustWake, ends, cancelled) = result else { return false }
      if mustWake { commands.wake() }
      if !ends.isEmpty, reports.withLockIfFree({ _ in Self.report(ends) }) == nil {
        commands.leave { $0?.putBack(ends) }
      }
      withExtendedLifetime(cancelled) {}  // Not released while the thread's signals are blocked.
      return true
    }
  }
#endif
