import Foundation

/// Foundation's cache, for keys that have to be made objects first.
final class Objects<Key: ObjectKey, Value>: @unchecked Sendable {  // NSCache has a lock of its own.
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

/// A key that can be made the object that a cache of Foundation takes.
protocol ObjectKey: Hashable, Sendable {
  var object: NSObject { get }
  /// The key of this number: any two differ.
  static func numbered(_ number: Int) -> Self
}

extension Int: ObjectKey {
  var object: NSObject { NSNumber(value: self) }
  static func numbered(_ number: Int) -> Int { number }
}

/// 37 bytes, as an address of a page has: more than fit into a string's own two words.
extension String: ObjectKey {
  var object: NSObject { NSString(string: self) }

  static func numbered(_ number: Int) -> String {
    "https://example.org/pages/" + String(10_000_000_000 + number)
  }

  /// 9 bytes, which a string holds within itself.
  static func short(_ number: Int) -> String { String(100_000_000 + number) }
}
