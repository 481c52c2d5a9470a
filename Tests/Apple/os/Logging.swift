/// https://developer.apple.com/documentation/os/logger
public struct Logger: @unchecked Sendable {
  /// The lines that all loggers of the stand-in have received.
  nonisolated(unsafe) public static var standInLines: [String] = []

  private let category: String

  public init(subsystem: String, category: String) { self.category = category }

  /// https://developer.apple.com/documentation/os/logger/log(level:_:)
  public func log(level: OSLogType, _ message: OSLogMessage) {
    Self.standInLines.append("\(category) \(level.rawValue): \(message.text)")
  }
}

/// https://developer.apple.com/documentation/os/oslogtype
public struct OSLogType: Equatable, RawRepresentable, Sendable {
  public var rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }
  public init(_ rawValue: UInt8) { self.rawValue = rawValue }

  public static let `default` = OSLogType(0x00)
  public static let info = OSLogType(0x01)
  public static let debug = OSLogType(0x02)
  public static let error = OSLogType(0x10)
  public static let fault = OSLogType(0x11)
}

/// https://developer.apple.com/documentation/os/oslogmessage
///
/// A message can be created only from a string literal. On Apple's platforms, the compiler accepts
/// the string literal only as a direct argument of a logging call.
public struct OSLogMessage: ExpressibleByStringInterpolation {
  let text: String

  public init(stringLiteral value: String) { text = value }
  public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}

/// https://developer.apple.com/documentation/os/osloginterpolation
public struct OSLogInterpolation: StringInterpolationProtocol {
  var text = ""

  public init(literalCapacity: Int, interpolationCount: Int) {}
  public mutating func appendLiteral(_ literal: String) { text += literal }

  public mutating func appendInterpolation(
    _ argumentString: @autoclosure @escaping () -> String,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) {
    text += privacy.isPublic == true ? argumentString() : "<private>"
  }
}

/// https://developer.apple.com/documentation/os/oslogstringalignment
public struct OSLogStringAlignment {
  public static var none: OSLogStringAlignment { OSLogStringAlignment() }
}

/// https://developer.apple.com/documentation/os/oslogprivacy
///
/// This type doesn't conform to any protocol.
public struct OSLogPrivacy {
  let isPublic: Bool?

  public static var auto: OSLogPrivacy { OSLogPrivacy(isPublic: nil) }
  public static var `public`: OSLogPrivacy { OSLogPrivacy(isPublic: true) }
  public static var `private`: OSLogPrivacy { OSLogPrivacy(isPublic: false) }
}

/// https://developer.apple.com/documentation/os/signpostmetadata
public typealias SignpostMetadata = OSLogMessage

/// https://developer.apple.com/documentation/os/ossignpostid
public struct OSSignpostID: Sendable {
  public static let exclusive = OSSignpostID()
}

/// https://developer.apple.com/documentation/os/ossignposter
public struct OSSignposter: @unchecked Sendable {
  /// The events that all signposters of the stand-in have received.
  nonisolated(unsafe) public static var standInEvents: [String] = []

  public init(subsystem: String, category: String) {}

  public var isEnabled: Bool { true }

  /// https://developer.apple.com/documentation/os/ossignposter/emitevent(_:id:_:)
  public func emitEvent(
    _ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata
  ) {
    Self.standInEvents.append("\(name): \(message.text)")
  }
}
