// A part of the stand-in for the module Logging of swift-log, which declares only what a recipe uses.

/// https://swiftpackageindex.com/apple/swift-log/main/documentation/logging/logger
public struct Logger: Sendable {
  public typealias Metadata = [String: MetadataValue]

  public struct Message: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, Sendable {
    public init(stringLiteral value: String) {}
  }

  public enum MetadataValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, Sendable
  {
    case string(String)
    public init(stringLiteral value: String) { self = .string(value) }
  }

  public init(label: String) {}

  public func info(
    _ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil
  ) {}

  public func warning(
    _ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil
  ) {}

  public func error(
    _ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil
  ) {}
}
