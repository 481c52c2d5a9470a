/// The addresses that an attempt to connect can still try, and the encryption of the connection.
struct RedisRoute: Sendable {
  let endpoint: RedisAddress.Endpoint
  var addresses: ArraySlice<RedisSocket.Address>
  var context: TLSContext?
  /// Whether the system's TLS still has to connect to the server.
  private var needsTunnel = false

  init(endpoint: RedisAddress.Endpoint, addresses: ArraySlice<RedisSocket.Address>) {
    (self.endpoint, self.addresses) = (endpoint, addresses)
  }

  /// Resolves the name of a server, and reads the certificates for TLS. Blocks the thread until
  /// both have ended.
  init(to endpoint: RedisAddress.Endpoint, _ tls: TLSContexts?) throws(RedisError) {
    self.endpoint = endpoint
    context = try tls?.context()
    needsTunnel = context != nil && TLSContext.isTunnel
    addresses = needsTunnel ? [] : try RedisSocket.Address.all(of: endpoint)[...]
  }

  /// Starts connecting to the next address. Returns `nil` if all addresses have been tried.
  mutating func next(within nanoseconds: Int64) -> Result<RedisSocket, RedisError>? {
    if needsTunnel, let context {
      needsTunnel = false
      return Result { () throws(RedisError) in
        try context.tunnel(to: endpoint, within: nanoseconds)
      }
    }
    return addresses.popFirst().map { address in
      Result { () throws(RedisError) in try RedisSocket.connecting(to: address) }
    }
  }

  /// Returns the encryption of a connected socket, or `nil` if it needs none.
  func layer(
    on socket: RedisSocket, resuming ticket: (any TLSTicket)?
  ) throws(RedisError) -> (any TLSLayer)? {
    guard let context, case .tcp(let host, _) = endpoint else { return nil }
    return try context.layer(on: socket.descriptor, for: host, resuming: ticket)
  }
}
