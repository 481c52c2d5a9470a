import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Fetcher where Key == URL, Value == Data {
  /// A level that asks the network with GET and stores nothing.
  ///
  /// Only a complete answer counts: status 2xx other than 204 and 206, of the length announced. 404
  /// and 410 are misses; all else is a failure. At most 10 redirects are followed, to `http` and
  /// `https` alone. Cache headers are ignored: what is kept, and for how long, is for the levels
  /// above to say.
  ///
  ///     let pages: Cache<URL, String> = .memory() + .network() <*> .utf8
  ///
  /// - Parameters:
  ///   - session: Holds the connections.
  ///   - maximumSize: The most bytes of a decoded body; 64 MiB unless told otherwise. More is
  ///     refused while it streams in.
  ///   - deadline: The most a whole transfer may take; 60 s unless told otherwise.
  ///   - time: What the deadline is measured with.
  /// - Returns: A fetcher that fails with ``NetworkError``, which carries URL, status and response.
  ///   Cancelling a get stops its transfer. Answers settle on a global dispatch queue.
  public static func network(
    session: NetworkSession = .shared, maximumSize: Int = 64 << 20,
    deadline: Duration = .seconds(60), on time: TimeSource = .system
  ) -> Fetcher {
    let requests: Fetcher<URLRequest, Data> = .network(
      session: session, maximumSize: maximumSize, deadline: deadline, on: time)
    let get = requests.get
    return Fetcher(get: { get(URLRequest(url: $0)) }, plan: .level("network"))
  }
}

extension Fetcher where Key == URLRequest, Value == Data {
  /// A level that sends requests of any method, and stores nothing; see the one for `URL`.
  ///
  /// Requests are told apart as `URLRequest` does it. One that changes something at the origin does
  /// so again whenever it is asked anew, and not when a level above has its answer.
  public static func network(
    session: NetworkSession = .shared, maximumSize: Int = 64 << 20,
    deadline: Duration = .seconds(60), on time: TimeSource = .system
  ) -> Fetcher {
    Fetcher(
      get: { request in
        Promise { continuation in
          let cancel = session.start(
            request, maximumSize: maximumSize, deadline: deadline, after: time.after
          ) { result in
            switch result {
            case .success(let data): continuation.succeed(data)
            case .failure(let error): continuation.fail(error)
            }
          }
          continuation.onCancel(cancel)
        }
      },
      plan: .level("network"))
  }
}

extension NetworkError: MissError {}

extension Fetcher {
  /// Not there for other keys and values: the level knows URLs and bytes, the algebra the rest.
  @available(
    *, unavailable,
    message: """
      the network level is a Fetcher<URL, Data>: write a codec after it, as in .network() <*> .json()
      """
  )
  public static func network(
    session: NetworkSession = .shared, maximumSize: Int = 64 << 20,
    deadline: Duration = .seconds(60), on time: TimeSource = .system
  ) -> Fetcher {
    Fetcher(get: { _ in .miss }, plan: .level("network"))
  }
}
