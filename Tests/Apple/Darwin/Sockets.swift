// The socket declarations use the same types as the headers of XNU and libinfo. In XNU's headers, a
// socket's type is an `Int32`, and an address begins with its length. A socket option prevents
// SIGPIPE.

// The following constants are declared in sys/socket.h, netinet/in.h, netinet/tcp.h, and netdb.h: https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/socket.2.html, getsockopt.2.html,
// and man4/tcp.4.html
public var AF_UNIX: Int32 { 1 }
public var AF_INET: Int32 { 2 }
public var SOCK_STREAM: Int32 { 1 }
public var SOL_SOCKET: Int32 { 0xffff }
public var SO_REUSEADDR: Int32 { 4 }
public var SO_KEEPALIVE: Int32 { 8 }
public var SO_NOSIGPIPE: Int32 { 0x1022 }
public var SO_SNDTIMEO: Int32 { 0x1005 }
public var SO_RCVTIMEO: Int32 { 0x1006 }
public var SO_ERROR: Int32 { 0x1007 }
public var SO_SNDBUF: Int32 { 0x1001 }
public var SO_LINGER: Int32 { 0x80 }
public var SHUT_RD: Int32 { 0 }
public var SHUT_WR: Int32 { 1 }
public var SHUT_RDWR: Int32 { 2 }
public var IPPROTO_TCP: Int32 { 6 }
public var TCP_NODELAY: Int32 { 1 }
public var AI_NUMERICHOST: Int32 { 4 }

// See https://developer.apple.com/documentation/kernel/socklen_t
// and Apple's pages about the other types.
public typealias socklen_t = UInt32
public typealias sa_family_t = UInt8
public typealias in_port_t = UInt16
public typealias in_addr_t = UInt32

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man4/inet.4.html
public struct in_addr {
  public var s_addr: in_addr_t = 0

  public init() {}
  public init(s_addr: in_addr_t) { self.s_addr = s_addr }
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/bind.2.html
///
/// The stand-in omits the fields that the library doesn't use.
public struct sockaddr { public var sa_family: sa_family_t = 0 }

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/getnameinfo.3.html
public struct sockaddr_storage { public init() {} }
public var NI_NUMERICHOST: Int32 { 2 }
public var NI_NUMERICSERV: Int32 { 8 }
public var EAI_FAMILY: Int32 { 5 }
public func getnameinfo(
  _ address: UnsafePointer<sockaddr>!, _ length: socklen_t, _ host: UnsafeMutablePointer<CChar>!,
  _ hostLength: socklen_t, _ service: UnsafeMutablePointer<CChar>!, _ serviceLength: socklen_t,
  _ flags: Int32
) -> Int32 { standIn() }

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man4/inet.4.html
public struct sockaddr_in {
  public var sin_len: UInt8 = 0
  public var sin_family: sa_family_t = 0
  public var sin_port: in_port_t = 0
  public var sin_addr = in_addr()

  public init() {}
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man4/unix.4.html
public struct sockaddr_un {
  public var sun_len: UInt8 = 0
  public var sun_family: sa_family_t = 0
  public var sun_path:
    (
      CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
      CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
      CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
      CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
      CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
      CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
      CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
      CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar
    ) = (
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
    )

  public init() {}
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/getaddrinfo.3.html
public struct addrinfo {
  public var ai_flags: Int32 = 0
  public var ai_family: Int32 = 0
  public var ai_socktype: Int32 = 0
  public var ai_protocol: Int32 = 0
  public var ai_addrlen: socklen_t = 0
  public var ai_canonname: UnsafeMutablePointer<CChar>!
  public var ai_addr: UnsafeMutablePointer<sockaddr>!
  public var ai_next: UnsafeMutablePointer<addrinfo>!

  public init() {}
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/getsockopt.2.html
public struct linger {
  public var l_onoff: Int32
  public var l_linger: Int32

  public init(l_onoff: Int32, l_linger: Int32) {
    (self.l_onoff, self.l_linger) = (l_onoff, l_linger)
  }
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/socket.2.html
@discardableResult
public func socket(_ domain: Int32, _ type: Int32, _ protocol: Int32) -> Int32 { standIn() }

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/bind.2.html
@discardableResult
public func bind(_ socket: Int32, _ address: UnsafePointer<sockaddr>!, _ length: socklen_t) -> Int32
{ standIn() }

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/listen.2.html
@discardableResult
public func listen(_ socket: Int32, _ backlog: Int32) -> Int32 { standIn() }

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/accept.2.html
@discardableResult
public func accept(
  _ socket: Int32, _ address: UnsafeMutablePointer<sockaddr>!,
  _ length: UnsafeMutablePointer<socklen_t>!
) -> Int32 { standIn() }

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/connect.2.html
@discardableResult
public func connect(_ socket: Int32, _ address: UnsafePointer<sockaddr>!, _ length: socklen_t)
  -> Int32
{ standIn() }

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/getsockname.2.html
@discardableResult
public func getsockname(
  _ socket: Int32, _ address: UnsafeMutablePointer<sockaddr>!,
  _ length: UnsafeMutablePointer<socklen_t>!
) -> Int32 { standIn() }

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/getaddrinfo.3.html
@discardableResult
public func getaddrinfo(
  _ host: UnsafePointer<CChar>!, _ service: UnsafePointer<CChar>!,
  _ hints: UnsafePointer<addrinfo>!,
  _ list: UnsafeMutablePointer<UnsafeMutablePointer<addrinfo>?>!
) -> Int32 { standIn() }

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/getaddrinfo.3.html
public func freeaddrinfo(_ list: UnsafeMutablePointer<addrinfo>!) { standIn() }
