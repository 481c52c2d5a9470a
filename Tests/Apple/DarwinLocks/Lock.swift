// Darwin has a structure and a function named `flock`. One Swift module can't declare both, so the
// structure has a module of its own, which the stand-in for Darwin exports.

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/fcntl.2.html
public struct flock {
  public var l_start: Int64 = 0
  public var l_len: Int64 = 0
  public var l_pid: Int32 = 0
  public var l_type: Int16 = 0
  public var l_whence: Int16 = 0

  public init() {}
}
