#if canImport(CStrataCurl) && canImport(Glibc)
  internal import CStrataCurl
  import Foundation

  /// The use of libcurl by a transport, with one multi handle and one epoll descriptor.
  ///
  /// libcurl reports the sockets and the timer that it waits for. The lock of `CurlLoop` guards this
  /// object, so threads use it one at a time.
  final class CurlReactor {
    let curl: CurlLibrary
    let epoll: Int32
    /// The descriptor that becomes readable when a command arrives.
    private let wakeUp: Int32
    var multi: CurlLibrary.Handle
    /// The time at which a thread must call libcurl, on the clock of `runningNanoseconds()`.
    var timer: Int64?
    private let commands: CurlCommands
    private let settings: CurlSettings
    private let idleTimeout: Int64
    private var exchanges: [UInt64: CurlExchange] = [:]
    private var idleSince: Int64? = nil
    private var isStopping = false
    private var isOpen = true
    /// The time at which the loop's thread wakes by itself.
    private var wakeTime = Int64.min
    private var ends: [End] = []
    private var cancelled: [CurlExchange] = []

    /// The end of an exchange. Its receiver learns about it after the lock has been released.
    typealias End = (receiver: any ResponseReceiver, error: (any Error)?)

    /// Creates an event loop, or returns `nil` if the process has too many open files.
    init?(_ curl: CurlLibrary, _ commands: CurlCommands, _ settings: CurlSettings) {
      let (epoll, wakeUp) = (strata_epoll_open(), commands.open())
      guard epoll >= 0, wakeUp >= 0, let multi = curl.multiInit() else {
        if epoll >= 0 { close(epoll) }
        return nil
      }
      (self.curl, self.commands, self.settings) = (curl, commands, settings)
      idleTimeout = settings.idleTimeout.wholeNanoseconds
      (self.epoll, self.wakeUp, self.multi) = (epoll, wakeUp, multi)
      _ = strata_epoll_watch(epoll, wakeUp, 1, 0)
      configure()
    }

    deinit { shutDown() }

    /// Closes every connection. Later commands have no effect.
    func shutDown() {
      guard isOpen else { return }
      isOpen = false
      _ = curl.multiCleanup(multi)
      close(epoll)
    }

    /// Runs the waiting commands, and handles events and the timer. Returns how long the loop's
    /// thread may sleep, in milliseconds. A negative number means that only an event wakes it. With
    /// `nil`, the loop has ended.
    func takeTurn(_ events: UnsafeBufferPointer<strata_event>) -> Int32? {
      commands.run(by: self)
      for event in events where event.descriptor != wakeUp { act(event) }
      fireTimer()
      collectEnds()
      closeIdleConnections()
      // A receiver that learns about its end may start another exchange.
      if isStopping, exchanges.isEmpty { return ends.isEmpty ? nil : 0 }
      wakeTime = nextTime
      guard wakeTime < .max else { return -1 }
      return Int32(clamping: (max(0, wakeTime - runningNanoseconds()) + 999_999) / 1_000_000)
    }

    /// Runs the waiting commands on any thread, and returns whether the loop's thread must wake.
    func runCommands() -> Bool {
      guard isOpen else { return false }
      commands.run(by: self)
      fireTimer()
      collectEnds()
      return isStopping || nextTime < wakeTime
    }

    /// Removes and returns the exchanges that have ended since the last call.
    func takeEnds() -> [End] {
      defer { ends = [] }
      return ends
    }

    /// Adds ends that the loop's thread will report.
    func putBack(_ ends: [End]) { self.ends = ends + self.ends }

    /// Removes and returns the cancelled exchanges, which the caller releases after the lock.
    func takeCancelled() -> [CurlExchange] {
      defer { cancelled = [] }
      return cancelled
    }

    private var nextTime: Int64 { min(timer ?? .max, idleEnd ?? .max) }

    /// Whether a thread must call libcurl now, for an exchange that has already begun.
    var isTimerDue: Bool { timer.map { $0 <= runningNanoseconds() } == true }

    private func fireTimer() {
      guard isTimerDue else { return }
      timer = nil
      act(CurlNumber.timeoutSocket, 0)
    }

    private func act(_ event: strata_event) {
      var mask: Int32 = 0
      if event.is_readable != 0 { mask |= CurlNumber.isReadable }
      if event.is_writable != 0 { mask |= CurlNumber.isWritable }
      if event.has_failed != 0 { mask |= CurlNumber.hasFailed }
      act(event.descriptor, mask)
    }

    private func act(_ socket: Int32, _ mask: Int32) {
      var running: Int32 = 0
      _ = curl.multiAct(multi, socket, mask, &running)
    }

    func stop() { isStopping = true }

    /// Continues an exchange whose receiver was full.
    func resume(_ id: UInt64) {
      guard let exchange = exchanges[id] else { return }
      let code = curl.easyPause(exchange.easy, 0)
      if code != 0 { end(exchange, code: code) }
    }

    func cancel(_ id: UInt64) { exchanges[id].map { end($0, code: nil) } }

    func start(_ id: UInt64, _ request: OutgoingRequest, _ receiver: any ResponseReceiver) {
      guard let easy = curl.easyInit() else {
        return ends.append((receiver, CurlError(code: 27, text: "Out of memory")))
      }
      let exchange = CurlExchange(id, easy, request, receiver)
      receiver.canPause { [commands] in commands.add { $0?.resume(id) } }
      exchange.configure(request, curl, idleTimeout: settings.idleTimeout)
      exchanges[id] = exchange
      idleSince = nil
      let code = curl.multiAdd(multi, easy)
      if code != 0 { end(exchange, code: 2) }
    }

    private func collectEnds() {
      var left: Int32 = 0
      while let message = curl.multiRead(multi, &left)?.pointee {
        guard message.kind == CurlNumber.messageDone, let easy = message.handle else { continue }
        var data: UnsafeMutableRawPointer?
        _ = withUnsafeMutablePointer(to: &data) {
          strata_set_pointer(curl.easyGetInfo, easy, CurlNumber.infoPrivate, $0)
        }
        guard let data else { continue }
        let exchange = Unmanaged<CurlExchange>.fromOpaque(data).takeUnretainedValue()
        end(exchange, code: message.result.code)
      }
    }

    /// Removes an exchange. Its receiver learns about the end, unless the exchange was cancelled.
    private func end(_ exchange: CurlExchange, code: Int32?) {
      exchanges[exchange.id] = nil
      _ = curl.multiRemove(multi, exchange.easy)
      exchange.release(curl)
      if exchanges.isEmpty { idleSince = runningNanoseconds() }
      if let code {
        ends.append((exchange.receiver, exchange.error(code: code, curl)))
      } else {
        cancelled.append(exchange)
      }
    }
  }

  extension CurlReactor /* : its connections */ {
    private var idleEnd: Int64? {
      guard let (end, isTooMuch) = idleSince?.addingReportingOverflow(idleTimeout) else {
        return nil
      }
      return isTooMuch ? .max : end
    }

    /// Closes every connection if the transport has been idle for at least the idle timeout.
    ///
    /// libcurl itself closes idle connections only when it opens a new one.
    private func closeIdleConnections() {
      guard let idleEnd, idleEnd <= runningNanoseconds(), let next = curl.multiInit() else {
        return
      }
      idleSince = nil
      _ = curl.multiCleanup(multi)
      (multi, timer) = (next, nil)
      configure()
    }

    private func configure() {
      let reactor = Unmanaged.passUnretained(self).toOpaque()
      curl.set(multi: multi, .maximumHostConnections, settings.connectionsPerHost)
      curl.set(multi: multi, .maximumConnections, settings.connections)
      curl.set(multi: multi, .maximumIdleConnections, settings.connections)
      curl.set(multi: multi, .socketData, pointer: reactor)
      curl.set(multi: multi, .timerData, pointer: reactor)
      curl.set(
        multi: multi, .socketFunction, pointer: unsafeBitCast(onSocket, to: UnsafeRawPointer.self))
      curl.set(
        multi: multi, .timerFunction, pointer: unsafeBitCast(onTimer, to: UnsafeRawPointer.self))
    }
  }

  /// libcurl calls this function when it starts or stops waiting for a socket. The number
  /// `direction` states what libcurl waits for: 1 to read, 2 to write, and 3 for both. When it's 4,
  /// libcurl has stopped waiting.
  private let onSocket:
    @convention(c) (
      UnsafeMutableRawPointer?, Int32, Int32, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
    ) -> Int32 = { _, socket, direction, data, _ in
      guard let data else { return 0 }
      let reactor = Unmanaged<CurlReactor>.fromOpaque(data).takeUnretainedValue()
      let (reads, writes) = direction == 4 ? (0, 0) : (direction & 1, direction & 2)
      _ = strata_epoll_watch(reactor.epoll, socket, reads, writes)
      return 0
    }

  /// libcurl calls this function to set its timer to a number of milliseconds from now. A negative
  /// number removes the timer.
  private let onTimer:
    @convention(c) (UnsafeMutableRawPointer?, Int, UnsafeMutableRawPointer?) -> Int32 = {
      _, milliseconds, data in
      guard let data else { return 0 }
      let reactor = Unmanaged<CurlReactor>.fromOpaque(data).takeUnretainedValue()
      reactor.timer =
        milliseconds < 0 ? nil : runningNanoseconds() + Int64(milliseconds) * 1_000_000
      return 0
    }
#endif
