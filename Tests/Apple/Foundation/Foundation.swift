@_exported import Darwin
@_exported import Dispatch
import Foundation
@_exported import FoundationEssentials
@_exported import FoundationInternationalization
import FoundationNetworking

// Foundation's value types are in FoundationEssentials, which is the same code on all platforms. Each
// other name that the sources use is listed here, so the C library of Linux stays invisible.

public typealias Bundle = Foundation.Bundle
public typealias CGFloat = Foundation.CGFloat
public typealias CharacterSet = Foundation.CharacterSet
public typealias DateFormatter = Foundation.DateFormatter
public typealias FileHandle = Foundation.FileHandle
public typealias Formatter = Foundation.Formatter
public typealias ISO8601DateFormatter = Foundation.ISO8601DateFormatter
public typealias JSONSerialization = Foundation.JSONSerialization
public typealias NSData = Foundation.NSData
public typealias NSMutableData = Foundation.NSMutableData
public typealias NSError = Foundation.NSError
public typealias NSLock = Foundation.NSLock
public typealias NSCondition = Foundation.NSCondition
public typealias NSObject = Foundation.NSObject
public typealias NSObjectProtocol = Foundation.NSObjectProtocol
public typealias NSNumber = Foundation.NSNumber
public typealias NSString = Foundation.NSString
public typealias NSRecursiveLock = Foundation.NSRecursiveLock
public typealias NSRegularExpression = Foundation.NSRegularExpression
public typealias NSRange = Foundation.NSRange
public typealias Notification = Foundation.Notification
public typealias NotificationCenter = Foundation.NotificationCenter
public typealias NumberFormatter = Foundation.NumberFormatter
public typealias OperationQueue = Foundation.OperationQueue
public typealias PropertyListSerialization = Foundation.PropertyListSerialization
public typealias RunLoop = Foundation.RunLoop
public typealias Scanner = Foundation.Scanner
public typealias Thread = Foundation.Thread
public typealias Timer = Foundation.Timer
public typealias ObjCBool = Foundation.ObjCBool
public typealias InputStream = Foundation.InputStream
public typealias NSCache = Foundation.NSCache

public func NSTemporaryDirectory() -> String { Foundation.NSTemporaryDirectory() }
public var NSPOSIXErrorDomain: String { Foundation.NSPOSIXErrorDomain }
public var NSUnderlyingErrorKey: String { Foundation.NSUnderlyingErrorKey }

#if os(macOS)
  // iOS has no processes that an app can start.
  public typealias Pipe = Foundation.Pipe
  public typealias Process = Foundation.Process
#endif
