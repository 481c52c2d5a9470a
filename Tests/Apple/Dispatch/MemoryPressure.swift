import Dispatch

/// https://developer.apple.com/documentation/dispatch/dispatchsourcememorypressure
public protocol DispatchSourceMemoryPressure: DispatchSourceProtocol {}

extension DispatchSource {
  /// https://developer.apple.com/documentation/dispatch/dispatchsource/memorypressureevent
  ///
  /// Not `Sendable`.
  public struct MemoryPressureEvent: OptionSet {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static var normal: Self { MemoryPressureEvent(rawValue: 1) }
    public static var warning: Self { MemoryPressureEvent(rawValue: 2) }
    public static var critical: Self { MemoryPressureEvent(rawValue: 4) }
  }

  /// https://developer.apple.com/documentation/dispatch/dispatchsource/makememorypressuresource(eventmask:queue:)
  public class func makeMemoryPressureSource(
    eventMask: MemoryPressureEvent, queue: DispatchQueue? = nil
  ) -> any DispatchSourceMemoryPressure {
    MemoryPressureStandIn(makeUserDataAddSource(queue: queue))
  }
}

/// A source that reports memory pressure when `standInWarn` is called.
public final class MemoryPressureStandIn: DispatchSourceMemoryPressure {
  private nonisolated(unsafe) static var current: (any DispatchSourceUserDataAdd)?
  private let source: any DispatchSourceUserDataAdd

  init(_ source: any DispatchSourceUserDataAdd) {
    self.source = source
    Self.current = source
  }

  /// Reports memory pressure through the most recently created source.
  public static func standInWarn() { current?.add(data: 1) }

  public func setEventHandler(
    qos: DispatchQoS, flags: DispatchWorkItemFlags, handler: DispatchSourceHandler?
  ) { source.setEventHandler(qos: qos, flags: flags, handler: handler) }
  public func setEventHandler(handler: DispatchWorkItem) {
    source.setEventHandler(handler: handler)
  }
  public func setCancelHandler(
    qos: DispatchQoS, flags: DispatchWorkItemFlags, handler: DispatchSourceHandler?
  ) { source.setCancelHandler(qos: qos, flags: flags, handler: handler) }
  public func setCancelHandler(handler: DispatchWorkItem) {
    source.setCancelHandler(handler: handler)
  }
  public func setRegistrationHandler(
    qos: DispatchQoS, flags: DispatchWorkItemFlags, handler: DispatchSourceHandler?
  ) { source.setRegistrationHandler(qos: qos, flags: flags, handler: handler) }
  public func setRegistrationHandler(handler: DispatchWorkItem) {
    source.setRegistrationHandler(handler: handler)
  }
  public func cancel() { source.cancel() }
  public func resume() { source.resume() }
  public func suspend() { source.suspend() }
  public func activate() { source.activate() }
  public var handle: UInt { 0 }
  public var mask: UInt { 6 }
  public var isCancelled: Bool { source.isCancelled }
}
