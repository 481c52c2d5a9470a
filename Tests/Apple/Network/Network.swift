import Dispatch
import Foundation
import Glibc
import Security

// In this file, the class `NWConnection` uses neither TLS nor a network. The method `send` passes
// the data to the function that `standInServer` has returned. The method `receive` delivers the
// answers of the function from `standInServer`.

/// https://developer.apple.com/documentation/network/nwerror
public enum NWError: Error, CustomDebugStringConvertible, Equatable {
  case posix(POSIXErrorCode)
  case dns(Int32)
  case tls(Int32)

  public var debugDescription: String {
    switch self {
    case .posix(let code): "POSIXErrorCode(rawValue: \(code.rawValue))"
    case .dns(let code), .tls(let code): "\(code)"
    }
  }
}

/// https://developer.apple.com/documentation/network/nwendpoint
public enum NWEndpoint: Hashable, Sendable {
  case hostPort(host: Host, port: Port)

  /// https://developer.apple.com/documentation/network/nwendpoint/host
  public struct Host: Hashable, Sendable {
    let name: String

    public init(_ string: String) { name = string }
  }

  /// https://developer.apple.com/documentation/network/nwendpoint/port
  public struct Port: Hashable, RawRepresentable, Sendable {
    public let rawValue: UInt16

    public init?(rawValue: UInt16) { self.rawValue = rawValue }
  }
}

/// https://developer.apple.com/documentation/network/nwprotocoltls
public class NWProtocolTLS {
  /// https://developer.apple.com/documentation/network/nwprotocoltls/options
  public class Options: @unchecked Sendable {
    /// https://developer.apple.com/documentation/network/nwprotocoltls/options/securityprotocoloptions
    public let securityProtocolOptions = sec_protocol_options_t()

    public init() {}
  }
}

/// https://developer.apple.com/documentation/network/nwprotocoltcp
public class NWProtocolTCP {
  /// https://developer.apple.com/documentation/network/nwprotocoltcp/options
  public class Options: @unchecked Sendable {
    /// https://developer.apple.com/documentation/network/nwprotocoltcp/options/nodelay
    public var noDelay = false
    /// https://developer.apple.com/documentation/network/nwprotocoltcp/options/enablekeepalive
    public var enableKeepalive = false

    public init() {}
  }
}

/// https://developer.apple.com/documentation/network/nwparameters
///
/// This class isn't `Sendable` in the SDKs of 2024.
public final class NWParameters {
  public let standInUsesTLS: Bool

  /// https://developer.apple.com/documentation/network/nwparameters/init(tls:tcp:)
  public init(tls: NWProtocolTLS.Options?, tcp: NWProtocolTCP.Options = NWProtocolTCP.Options()) {
    standInUsesTLS = tls != nil
  }
}

/// https://developer.apple.com/documentation/network/nwconnection
///
/// This class has been `Sendable` since macOS 14 and iOS 17.
public final class NWConnection: @unchecked Sendable {
  /// A closure that accepts or refuses each connection. For an accepted connection, the closure
  /// returns a function that answers requests.
  nonisolated(unsafe) public static var standInServer:
    @Sendable (NWEndpoint) -> Result<@Sendable (Data) -> Data, NWError> = { _ in
      .failure(.posix(.ECONNREFUSED))
    }

  /// https://developer.apple.com/documentation/network/nwconnection/state-swift.enum
  public enum State: Equatable, Sendable {
    case setup
    case waiting(NWError)
    case preparing
    case ready
    case failed(NWError)
    case cancelled
  }

  /// https://developer.apple.com/documentation/network/nwconnection/sendcompletion
  public enum SendCompletion {
    case contentProcessed(@Sendable (_ error: NWError?) -> Void)
    case idempotent
  }

  /// https://developer.apple.com/documentation/network/nwconnection/contentcontext
  public class ContentContext: @unchecked Sendable {
    public static let defaultMessage = ContentContext()
  }

  public typealias StandInReceive = @Sendable (Data?, ContentContext?, Bool, NWError?) -> Void

  private let lock = NSRecursiveLock()
  private let endpoint: NWEndpoint
  private var server: (@Sendable (Data) -> Data)?
  private var queue: DispatchQueue?
  private var current = State.setup
  private var handler: (@Sendable (_ state: State) -> Void)?
  private var received = Data()
  private var receiver: StandInReceive?

  /// https://developer.apple.com/documentation/network/nwconnection/init(host:port:using:)
  public init(host: NWEndpoint.Host, port: NWEndpoint.Port, using: NWParameters) {
    endpoint = .hostPort(host: host, port: port)
    precondition(using.standInUsesTLS)
  }

  /// https://developer.apple.com/documentation/network/nwconnection/state-swift.property
  public var state: State { lock.withLock { current } }

  /// https://developer.apple.com/documentation/network/nwconnection/stateupdatehandler
  public var stateUpdateHandler: (@Sendable (_ state: State) -> Void)? {
    get { lock.withLock { handler } }
    set { lock.withLock { handler = newValue } }
  }

  /// https://developer.apple.com/documentation/network/nwconnection/start(queue:)
  public func start(queue: DispatchQueue) {
    lock.withLock { self.queue = queue }
    switch Self.standInServer(endpoint) {
    case .success(let server):
      lock.withLock { self.server = server }
      enter(.ready)
    case .failure(let error): enter(.waiting(error))
    }
  }

  /// https://developer.apple.com/documentation/network/nwconnection/cancel()
  public func cancel() {
    guard state != .cancelled else { return }
    enter(.cancelled)
    deliver()
  }

  /// https://developer.apple.com/documentation/network/nwconnection/send(content:contentcontext:iscomplete:completion:)
  public func send(
    content: Data?, contentContext: ContentContext = .defaultMessage, isComplete: Bool = true,
    completion: SendCompletion
  ) {
    lock.withLock {
      if let content, current == .ready, let server { received += server(content) }
      let error = current == .ready ? nil : NWError.posix(.ECANCELED)
      if case .contentProcessed(let report) = completion { queue?.async { report(error) } }
    }
    deliver()
  }

  /// https://developer.apple.com/documentation/network/nwconnection/receive(minimumincompletelength:maximumlength:completion:)
  public func receive(
    minimumIncompleteLength: Int, maximumLength: Int,
    completion:
      @escaping @Sendable (
        _ content: Data?, _ contentContext: ContentContext?, _ isComplete: Bool, _ error: NWError?
      ) -> Void
  ) {
    lock.withLock { receiver = completion }
    deliver()
  }

  private func enter(_ new: State) {
    lock.withLock { current = new }
    queue?.async { [self] in stateUpdateHandler?(new) }
  }

  private func deliver() {
    lock.withLock {
      guard let receiver, !received.isEmpty || current == .cancelled else { return }
      let (data, error) = (received, current == .cancelled ? NWError.posix(.ECANCELED) : nil)
      (self.receiver, received) = (nil, Data())
      queue?.async { receiver(data.isEmpty ? nil : data, nil, false, error) }
    }
  }
}
