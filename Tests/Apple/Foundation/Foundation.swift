@_exported import Darwin
import Foundation
@_exported import FoundationEssentials
@_exported import FoundationInternationalization
import FoundationNetworking
@_exported import StandInDispatch

// Foundation's value types are in FoundationEssentials, which uses the same code on all platforms.
// This file declares Foundation names that the sources use and that FoundationEssentials doesn't
// contain. Importing all of Foundation would also import the C library of Linux.

/// https://developer.apple.com/documentation/foundation/bundle
public typealias Bundle = Foundation.Bundle
/// https://developer.apple.com/documentation/foundation/cgfloat
public typealias CGFloat = Foundation.CGFloat
/// https://developer.apple.com/documentation/foundation/characterset
public typealias CharacterSet = Foundation.CharacterSet
/// https://developer.apple.com/documentation/foundation/dateformatter
public typealias DateFormatter = Foundation.DateFormatter
/// https://developer.apple.com/documentation/foundation/filehandle
public typealias FileHandle = Foundation.FileHandle
/// https://developer.apple.com/documentation/foundation/formatter
public typealias Formatter = Foundation.Formatter
/// https://developer.apple.com/documentation/foundation/iso8601dateformatter
public typealias ISO8601DateFormatter = Foundation.ISO8601DateFormatter
/// https://developer.apple.com/documentation/foundation/jsonserialization
public typealias JSONSerialization = Foundation.JSONSerialization
/// https://developer.apple.com/documentation/foundation/nsdata
public typealias NSData = Foundation.NSData
/// https://developer.apple.com/documentation/foundation/nsmutabledata
public typealias NSMutableData = Foundation.NSMutableData
/// https://developer.apple.com/documentation/foundation/nserror
public typealias NSError = Foundation.NSError
/// https://developer.apple.com/documentation/foundation/nslock
public typealias NSLock = Foundation.NSLock
/// https://developer.apple.com/documentation/foundation/nscondition
public typealias NSCondition = Foundation.NSCondition
/// https://developer.apple.com/documentation/foundation/nsobject
public typealias NSObject = Foundation.NSObject
/// https://developer.apple.com/documentation/foundation/nsobjectprotocol
public typealias NSObjectProtocol = Foundation.NSObjectProtocol
/// https://developer.apple.com/documentation/foundation/nsnumber
public typealias NSNumber = Foundation.NSNumber
/// https://developer.apple.com/documentation/foundation/nsstring
public typealias NSString = Foundation.NSString
/// https://developer.apple.com/documentation/foundation/nsurl
public typealias NSURL = Foundation.NSURL
/// https://developer.apple.com/documentation/foundation/nsrecursivelock
public typealias NSRecursiveLock = Foundation.NSRecursiveLock
/// https://developer.apple.com/documentation/foundation/nsregularexpression
public typealias NSRegularExpression = Foundation.NSRegularExpression
/// https://developer.apple.com/documentation/foundation/nsrange
public typealias NSRange = Foundation.NSRange
/// https://developer.apple.com/documentation/foundation/notification
public typealias Notification = Foundation.Notification
/// https://developer.apple.com/documentation/foundation/notificationcenter
public typealias NotificationCenter = Foundation.NotificationCenter
/// https://developer.apple.com/documentation/foundation/numberformatter
public typealias NumberFormatter = Foundation.NumberFormatter
/// https://developer.apple.com/documentation/foundation/operationqueue
public typealias OperationQueue = Foundation.OperationQueue
/// https://developer.apple.com/documentation/foundation/propertylistserialization
public typealias PropertyListSerialization = Foundation.PropertyListSerialization
/// https://developer.apple.com/documentation/foundation/runloop
public typealias RunLoop = Foundation.RunLoop
/// https://developer.apple.com/documentation/foundation/scanner
public typealias Scanner = Foundation.Scanner
/// https://developer.apple.com/documentation/foundation/thread
public typealias Thread = Foundation.Thread
/// https://developer.apple.com/documentation/foundation/timer
public typealias Timer = Foundation.Timer
/// https://developer.apple.com/documentation/foundation/objcbool
public typealias ObjCBool = Foundation.ObjCBool
/// https://developer.apple.com/documentation/foundation/inputstream
public typealias InputStream = Foundation.InputStream
/// https://developer.apple.com/documentation/foundation/nscache
public typealias NSCache = Foundation.NSCache

/// https://developer.apple.com/documentation/foundation/nstemporarydirectory
public func NSTemporaryDirectory() -> String { Foundation.NSTemporaryDirectory() }
/// https://developer.apple.com/documentation/foundation/nsposixerrordomain
public var NSPOSIXErrorDomain: String { Foundation.NSPOSIXErrorDomain }
/// https://developer.apple.com/documentation/foundation/nsunderlyingerrorkey
public var NSUnderlyingErrorKey: String { Foundation.NSUnderlyingErrorKey }

/// https://developer.apple.com/documentation/foundation/pipe
public typealias Pipe = Foundation.Pipe

#if os(macOS)
  /// https://developer.apple.com/documentation/foundation/process
  ///
  /// This class isn't available on iOS, where an app can't start a process.
  public typealias Process = Foundation.Process
#endif
