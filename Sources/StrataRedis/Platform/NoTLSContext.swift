#if !canImport(Network) && !canImport(Glibc)
  /// A placeholder for systems that have neither Apple's Network framework nor glibc. Without
  /// glibc, Strata can't load OpenSSL.
  final class TLSContext: Sendable {
    static let isTunnel = false

    init(_ settings: RedisTLS) throws(RedisError) {
      throw .tls(
        "Strata has no TLS for Redis on this system. Use a tunnel such as stunnel on this machine, "
          + "and the tunnel's address with redis instead of rediss")
    }

    func tunnel(
      to endpoint: RedisAddress.Endpoint, within nanoseconds: Int64
    ) throws(RedisError) -> RedisSocket {
      throw .tls("this system has no TLS")
    }

    func layer(
      on descriptor: Int32, for host: String, resuming ticket: (any TLSTicket)?
    ) throws(RedisError) -> (any TLSLayer)? {
      nil
    }
  }
#endif
