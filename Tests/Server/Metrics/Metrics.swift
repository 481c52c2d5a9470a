// A part of the stand-in for the module Metrics of swift-metrics, which declares only what a recipe uses.

/// https://swiftpackageindex.com/apple/swift-metrics/main/documentation/coremetrics/counter
public final class Counter: Sendable {
  public convenience init(label: String, dimensions: [(String, String)] = []) { self.init() }
  init() {}

  public func increment<DataType: BinaryInteger>(by amount: DataType) {}
}

/// https://swiftpackageindex.com/apple/swift-metrics/main/documentation/coremetrics/gauge
public final class Gauge: Sendable {
  public convenience init(label: String, dimensions: [(String, String)] = []) { self.init() }
  init() {}

  public func record<DataType: BinaryFloatingPoint>(_ value: DataType) {}
}
