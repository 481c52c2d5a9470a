import Foundation

extension CacheEvent {
  /// Returns the size of a value in bytes, or `nil` if values of this type have no known size.
  @usableFromInline package static func bytes<Value>(of value: Value) -> Int? {
    size(of: Value.self)?(value)
  }

  /// Returns a function that measures values in bytes, or `nil` if values of this type have no
  /// known size.
  ///
  /// This function checks only the type, because a cast of each value would take longer than a
  /// cache hit.
  @usableFromInline
  package static func size<Value>(of type: Value.Type) -> (@Sendable (Value) -> Int)? {
    if type == Void.self { return nil }  // The result of a write.
    if type == Data.self { return { unsafeBitCast($0, to: Data.self).count } }
    if type == [UInt8].self { return { unsafeBitCast($0, to: [UInt8].self).count } }
    if type == String.self { return { unsafeBitCast($0, to: String.self).utf8.count } }
    return (type as? any Wrapping.Type)?.size(of: type)
  }
}

/// A container that holds one value. Events report the size of the value, not of the container.
package protocol Wrapping: Sendable {
  associatedtype Wrapped
  var wrapped: Wrapped { get }
}

extension Wrapping {
  /// Returns a function that takes a container of this type, and returns the size of the
  /// container's value in bytes.
  fileprivate static func size<Container>(
    of container: Container.Type
  ) -> (@Sendable (Container) -> Int)? {
    guard let size = CacheEvent.size(of: Wrapped.self) else { return nil }
    return { size(unsafeBitCast($0, to: Self.self).wrapped) }
  }
}
