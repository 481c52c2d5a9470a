// A part of the stand-in for the module UnixSignals of swift-service-lifecycle.

/// https://swiftpackageindex.com/swift-server/swift-service-lifecycle/main/documentation/unixsignals
public struct UnixSignal: Hashable, Sendable {
  public static let sigterm = UnixSignal()
  public static let sigint = UnixSignal()
}
