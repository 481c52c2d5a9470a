#if canImport(CStrataCurl) && canImport(Glibc)
  internal import CStrataCurl
  import Foundation

  /// The event loop of a transport, with one thread, one libcurl multi handle, and one epoll
  /// descriptor.
  ///
  /// libcurl reports the sockets and the timer that it waits for. This loop sleeps until a socket
  /// is ready, the timer fires, or a command arrives. Only the loop's thread uses this object.
  final class CurlReactor {
    let curl: CurlLibrary
    let epoll: Int32
    /// The descriptor that becomes readable when a command arrives.
    private let wakeUp: Int32
    var multi: CurlLibrary.Handle
    /// The time at which the loop must call libcurl, on the clock of `runningNanoseconds()`.
    var timer: Int64?
    private let commands: CurlCommands
    private let settings: CurlSettings
    private var exchanges: [UInt64: CurlExchange] = [:]
    private var idleSince: Int64? = nil
    private var isStopping = false

    /// Creates an event loop, or returns `nil` if the process has too many open files.
    init?(_ curl: CurlLibrary, _ commands: CurlCommands, _ settings: CurlSettings) {
      let (epoll, wakeUp) = (strata_epoll_open(), commands.open())
      guard epoll >= 0, wakeUp >= 0, let multi = curl.multiInit() else {
        if epoll >= 0 { close(epoll) }
        return nil
      }
      (self.curl, self.commands, self.settings) = (curl, commands, settings)
      (self.epoll, self.wakeUp, self.multi) = (epoll, wakeUp, multi)
      _ = strata_epoll_watch(epoll, wakeUp, 1, 0)
      configure()
    }

    deinit {
      _ = curl.multiCleanup(multi)
      close(epoll)
    }

    /// Runs until a command has stopped the loop and every exchange has ended.
    func run() {
      strata_block_signals()
      while !isStopping || !exchanges.isEmpty {
        let ready = wait()
        commands.run(by: self)
        for event in ready where event.descriptor != wakeUp { act(event) }
        if let timer, timer <= runningNanoseconds() {
          self.timer = nil
          act(CurlNumber.timeoutSocket, 0)
        }
        finishExchanges()
        closeIdleConnections()
      }
    }

    private func wait() -> [strata_event] {
      let next = [timer, idleEnd].compactMap { $0 }.min()
      let now = runningNanoseconds()
      let milliseconds = next.map { Int32(clamping: (max(0, $0 - now) + 999_999) / 1_000_000) }
      return [strata_event](unsafeUninitializedCapacity: 64) { events, count in
        count =
          events.baseAddress.map {
            Int(strata_epoll_wait(epoll, $0, milliseconds ?? -1))
          } ?? 0
      }
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
        return receiver.finish(CurlError(code: 27, text: "Out of memory"))
      }
      let exchange = CurlExchange(id, easy, request, receiver)
      receiver.canPause { [commands] in commands.add { $0?.resume(id) } }
      exchange.configure(request, curl, idleTimeout: settings.idleTimeout)
      exchanges[id] = exchange
      idleSince = nil
      let code = curl.multiAdd(multi, easy)
      if code != 0 { end(exchange, code: 2) }
    }

    private func finishExchanges() {
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

    /// Removes an exchange. Reports its end to the receiver, unless the exchange was cancelled.
    private func end(_ exchange: CurlExchange, code: Int32?) {
      exchanges[exchange.id] = nil
      _ = curl.multiRemove(multi, exchange.easy)
      exchange.release(curl)
      if exchanges.isEmpty { idleSince = runningNanoseconds() }
      if let code { exchange.finish(code: code, curl) }
    }
  }

  extension CurlReactor /* : its connections */ {
    private var idleEnd: Int64? {
      idleSince.map { $0.addingReportingOverflow(settings.idleTimeout.wholeNanoseconds) }
        .map { $0.overflow ? .max : $0.partialValue }
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
