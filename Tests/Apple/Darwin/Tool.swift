// The names that only the tool uses. The functions stop the program if they are called.

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/strlen.3.html
@discardableResult
public func strlen(_ text: UnsafePointer<CChar>!) -> UInt { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/chmod.2.html
@discardableResult
public func fchmod(_ fd: Int32, _ mode: mode_t) -> Int32 { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/readlink.2.html
@discardableResult
public func readlink(
  _ path: UnsafePointer<CChar>!, _ target: UnsafeMutablePointer<CChar>!, _ size: Int
) -> Int { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/mktemp.3.html
@discardableResult
public func mkstemp(_ path: UnsafeMutablePointer<CChar>!) -> Int32 { standIn() }

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man4/inet6.4.html
public struct in6_addr {
  var bytes: (UInt64, UInt64) = (0, 0)

  public init() {}
}
// The following constants are declared in sys/stat.h, sys/mman.h, and sys/socket.h.
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/recv.2.html
public var S_IFDIR: mode_t { 0o040000 }
public var MAP_PRIVATE: Int32 { 2 }
public var MSG_PEEK: Int32 { 2 }
public var MSG_DONTWAIT: Int32 { 0x80 }
public var AF_INET6: Int32 { 30 }
