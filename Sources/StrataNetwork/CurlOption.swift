#if canImport(CStrataCurl) && canImport(Glibc)
  /// The options that the transport sets for a transfer. Their raw values are libcurl's option
  /// numbers.
  enum CurlOption: Int32 {
    case url = 10002
    case privateData = 10103
    case writeFunction = 20011
    case writeData = 10001
    case headerFunction = 20079
    case headerData = 10029
    case customRequest = 10036
    case noBody = 44
    case post = 47
    case postSize = 30120
    case copyPostFields = 10165
    case postFields = 10015
    case httpHeader = 10023
    case noSignal = 99
    case freshConnect = 74
    case httpVersion = 84
    case pipeWait = 237
    case protocols = 181
    case pathAsIs = 234
    case maximumIdleAge = 288
    case suppressConnectHeaders = 265
    case certificateFile = 10065
    case quickExit = 322
    case errorBuffer = 10010
  }

  /// The options of a libcurl multi handle, which runs many transfers.
  enum CurlMultiOption: Int32 {
    case socketFunction = 20001
    case socketData = 10002
    case timerFunction = 20004
    case timerData = 10005
    case maximumIdleConnections = 6
    case maximumHostConnections = 7
    case maximumConnections = 13
  }

  /// Other constants of libcurl's ABI.
  enum CurlNumber {
    static let timeoutSocket: Int32 = -1
    static let isReadable: Int32 = 1
    static let isWritable: Int32 = 2
    static let hasFailed: Int32 = 4
    static let messageDone: Int32 = 1
    /// The error code for an unknown transfer coding. libcurl also uses this code for unknown
    /// content codings, but in this transport, libcurl doesn't decode content.
    static let unknownCoding: Int32 = 61
    /// The result with which a write callback pauses a transfer. libcurl then delivers the same
    /// bytes again later.
    static let writePause = 0x1000_0001
    static let infoPrivate: Int32 = 0x100000 + 21
    static let infoVerification: Int32 = 0x200000 + 13
    static let errorSize = 256
    static let httpAndHTTPS = 3
    static let version1 = 2
    static let version2OverTLS = 4
  }
#endif
