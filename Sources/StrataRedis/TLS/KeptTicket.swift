/// The ticket of the latest connection with TLS, and the server that it's for.
///
/// A server that resumes a session doesn't show its certificate again. So the ticket of one server
/// must not be sent to another one, whose name the client hasn't checked. With sentinels, a failover
/// leads to another server.
struct KeptTicket {
  private var endpoint: RedisAddress.Endpoint?
  private var ticket: (any TLSTicket)?

  /// Returns the ticket for a connection to a server, if there is one, and forgets those for other
  /// servers. The ticket that ``keep(_:)`` receives next is for this server.
  mutating func ticket(for endpoint: RedisAddress.Endpoint) -> (any TLSTicket)? {
    if endpoint != self.endpoint { (self.endpoint, ticket) = (endpoint, nil) }
    return ticket
  }

  /// Keeps the ticket of a connection that has ended, if it has one.
  mutating func keep(_ new: (any TLSTicket)?) { ticket = new ?? ticket }

  /// Forgets the ticket, because the handshake has failed, perhaps because of it.
  mutating func forget() { ticket = nil }
}
