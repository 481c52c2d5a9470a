import Dispatch
import StrataCore

extension RedisLoop /* : addresses */ {
  func beginAttempt(_ now: Int64) {
    attemptEnd = now + settings.deadlineNanoseconds
    phase = .resolving
    // While the system still looks up the name for an earlier attempt, that answer is good enough. A
    // lookup for each attempt could occupy any number of threads.
    if isLookingUp { return }
    let endpoint: RedisAddress.Endpoint
    do { endpoint = try settings.address.get().endpoint } catch { return fail(error) }
    let lookUp = {
      @Sendable [mailbox, settings] (endpoint: Result<RedisAddress.Endpoint, RedisError>) in
      Self.lookUp(endpoint, settings, mailbox)
    }
    if let sentinels = settings.sentinels {
      isLookingUp = true
      return sentinels.locate(by: attemptEnd, lookUp)
    }
    if settings.tls == nil,
      let known = try? RedisSocket.Address.all(of: endpoint, isNumeric: true)
    {
      return connect(.success(RedisRoute(endpoint: endpoint, addresses: known[...])))
    }
    isLookingUp = true
    lookUp(.success(endpoint))
  }

  /// Resolves a name and reads certificates on another thread, because this can take longer than
  /// the deadline.
  private static func lookUp(
    _ endpoint: Result<RedisAddress.Endpoint, RedisError>, _ settings: RedisSettings,
    _ mailbox: RedisMailbox
  ) {
    DispatchQueue.global().async {
      let route = Result { () throws(RedisError) in
        try settings.findRoute(endpoint.get(), settings.tls)
      }
      mailbox.add { $0.route = route }
    }
  }

  /// Starts connecting to the first address. When the attempt fails immediately, tries the next
  /// address.
  ///
  /// The addresses share the time of the attempt, so a silent one leaves time for those after it.
  /// But an address from which bytes arrive has all the time that is left.
  func connect(_ found: Result<RedisRoute, RedisError>, after error: RedisError? = nil) {
    var error = error
    do throws(RedisError) {
      var rest = try found.get()
      while true {
        let now = runningNanoseconds()
        guard let next = rest.next(within: attemptEnd - now) else { break }
        do throws(RedisError) {
          phase = .connecting(try next.get())
          route = rest
          return beginShare(now)
        } catch let other { error = other }
      }
    } catch let other { error = other }
    phase = .resolving
    fail(error ?? .unreachable("the name has no address"))
  }

  /// Gives the current address its share of the time that is left.
  func beginShare(_ now: Int64) {
    addressEnd = now + max(0, attemptEnd - now) / Int64((route?.addresses.count ?? 0) + 1)
  }

  /// Receives the addresses of the server. When the attempt that needed them has already failed,
  /// begins the next one. Otherwise, a client whose lookups always take longer than an attempt
  /// would never connect.
  func receive(_ route: Result<RedisRoute, RedisError>) {
    isLookingUp = false
    switch (phase, route) {
    case (.resolving, _): connect(route)
    case (.idle(.some), .success):
      attemptEnd = runningNanoseconds() + settings.deadlineNanoseconds
      connect(route)
    default: break
    }
  }

  /// Leaves the current address, and tries the next one.
  func leave(_ socket: RedisSocket, after error: RedisError) {
    guard let rest = route else { return fail(error) }
    socket.close()
    connect(.success(rest), after: error)
  }

  /// Begins the TLS handshake, or the greeting if the connection doesn't need a handshake.
  func secure(_ socket: RedisSocket) {
    guard let route else { return }
    do throws(RedisError) {
      let known = ticket.ticket(for: route.endpoint)
      guard let layer = try route.layer(on: socket, resuming: known) else { return greet(socket) }
      var socket = socket
      socket.layer = layer
      phase = .securing(socket)
      shakeHands(socket)
    } catch { leave(socket, after: error) }
  }

  /// Continues the TLS handshake.
  func shakeHands(_ socket: RedisSocket) {
    do throws(RedisError) {
      if try socket.layer?.shakeHands() != false { greet(socket) }
    } catch {
      ticket.forget()
      leave(socket, after: error)
    }
  }
}
