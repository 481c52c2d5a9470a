import Foundation

// On Apple's platforms, `as` converts Core Foundation types to Swift and Foundation types. On
// Linux, a conversion with `as` compiles only if the Core Foundation type is a type alias. This
// file declares `CFData` as a type alias for `NSData`, so conversions of `CFData` compile. Because
// of the alias, code that omits a required `as` for `CFData` compiles on Linux, although it
// wouldn't compile on Apple's platforms.

/// https://developer.apple.com/documentation/corefoundation/cfstring
public final class CFString: ExpressibleByStringLiteral, Hashable {
  private let text: String

  public init(stringLiteral value: String) { text = value }
  public static func == (one: CFString, other: CFString) -> Bool { one.text == other.text }
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// https://developer.apple.com/documentation/corefoundation/cfstringencoding
public typealias CFStringEncoding = UInt32

/// https://developer.apple.com/documentation/corefoundation/cfstringbuiltinencodings
public enum CFStringBuiltInEncodings: CFStringEncoding {
  case UTF8 = 0x0800_0100
}

/// https://developer.apple.com/documentation/corefoundation/cfallocator
public final class CFAllocator {}

/// https://developer.apple.com/documentation/corefoundation/cfstringcreatewithcstring(_:_:_:)
public func CFStringCreateWithCString(
  _ alloc: CFAllocator?, _ cStr: UnsafePointer<CChar>?, _ encoding: CFStringEncoding
) -> CFString? {
  cStr.map { CFString(stringLiteral: String(cString: $0)) }
}

/// https://developer.apple.com/documentation/corefoundation/cferror
public final class CFError {}
/// https://developer.apple.com/documentation/corefoundation/cferrorgetcode(_:)
public func CFErrorGetCode(_ err: CFError) -> Int { 0 }

/// https://developer.apple.com/documentation/corefoundation/cfarray
public typealias CFArray = [Any]
/// https://developer.apple.com/documentation/corefoundation/cfdictionary
public typealias CFDictionary = [CFString: Any]
/// https://developer.apple.com/documentation/corefoundation/cfdata
public typealias CFData = NSData
/// https://developer.apple.com/documentation/corefoundation/cfmutabledata
public typealias CFMutableData = NSMutableData
/// https://developer.apple.com/documentation/corefoundation/cftyperef
public typealias CFTypeRef = AnyObject
/// https://developer.apple.com/documentation/kernel/osstatus
public typealias OSStatus = Int32
