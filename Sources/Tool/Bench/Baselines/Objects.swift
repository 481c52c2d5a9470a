import Foundation

/// An `NSCache` that converts its keys to objects.
final class Objects<Key: ObjectKey, Value>: @unchecked Sendable {  // NSCache is thread-safe.
  private final class Box {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  private let cache = NSCache<NSObject, AnyObject>()

  subscript(key: Key) -> Value? {
    get { (cache.object(forKey: key.object) as? Box)?.value }
    set {
      if let newValue { cache.setObject(Box(newValue), forKey: key.object) }
    }
  }
}

/// A key that can be converted to an object for `NSCache`.
protocol ObjectKey: Hashable, Sendable {
  var object: NSObject { get }
  /// Returns the key for a number. Different numbers produce different keys.
  static func numbered(_ number: Int) -> Self
}

extension Int: ObjectKey {
  var object: NSObject { NSNumber(value: self) }
  static func numbered(_ number: Int) -> Int { number }
}

extension URL: ObjectKey {
  var object: NSObject { self as NSURL }
  static func numbered(_ number: Int) -> URL { URL(string: .numbered(number))! }
}

/// Strings as keys. `numbered(_:)` returns a URL of 37 bytes, which Swift stores in allocated
/// memory.
extension String: ObjectKey {
  var object: NSObject { NSString(string: self) }

  static func numbered(_ number: Int) -> String {
    "https://example.org/pages/" + String(10_000_000_000 + number)
  }

  /// Returns a key of 9 bytes, which Swift stores without an allocation.
  static func short(_ number: Int) -> String { String(100_000_000 + number) }
}
