import Foundation

// On Apple's platforms, `as` converts types of Core Foundation to types of Swift and Foundation. On
// Linux, `as` needs a type alias. With an alias, code also compiles without `as`, so the check
// doesn't find a missing `as` for data.

/// https://developer.apple.com/documentation/corefoundation/cfstring
public final class CFString: ExpressibleByStringLiteral, Hashable {
  private let text: String

  public init(stringLiteral value: String) { text = value }
  public static func == (one: CFString, other: CFString) -> Bool { one.text == other.text }
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

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
