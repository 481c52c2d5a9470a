#if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
  import Foundation

  /// A replacement for Foundation's `Process` on systems where an app can't start a process.
  ///
  /// Both the tool and its tests use `Process`. But Xcode also compiles them for iOS, tvOS,
  /// watchOS, and visionOS, where Foundation has no `Process`.
  final class Process {
    var executableURL: URL?
    var arguments: [String]?
    var environment: [String: String]?
    var standardInput: Any?
    var standardOutput: Any?
    var standardError: Any?
    var terminationHandler: (@Sendable (Process) -> Void)?
    let processIdentifier: Int32 = 0
    let terminationStatus: Int32 = 0

    func run() throws { throw CocoaError(.featureUnsupported) }
    func waitUntilExit() {}
  }
#endif
