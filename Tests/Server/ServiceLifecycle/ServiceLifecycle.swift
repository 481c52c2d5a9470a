// A part of the stand-in for the module ServiceLifecycle of swift-service-lifecycle.

import Logging
import UnixSignals

/// https://swiftpackageindex.com/swift-server/swift-service-lifecycle/main/documentation/servicelifecycle/service
public protocol Service: Sendable {
  func run() async throws
}

/// https://swiftpackageindex.com/swift-server/swift-service-lifecycle/main/documentation/servicelifecycle/servicegroup
public actor ServiceGroup {
  public init(
    services: [any Service], gracefulShutdownSignals: [UnixSignal] = [],
    cancellationSignals: [UnixSignal] = [], logger: Logger
  ) {}

  public func run(file: String = #file, line: Int = #line) async throws {}
}

/// https://swiftpackageindex.com/swift-server/swift-service-lifecycle/main/documentation/servicelifecycle
public func gracefulShutdown() async throws {}
