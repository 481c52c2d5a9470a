import Foundation

/// The memory warnings of the system.
package enum MemoryWarnings {
  /// Starts listening for memory warnings, and returns a closure that stops listening. Returns
  /// `nil` if the system doesn't send warnings.
  package static func listen(_ warn: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)? {
    #if os(iOS) || os(tvOS) || os(visionOS)
      let name = Notification.Name("UIApplicationDidReceiveMemoryWarningNotification")
      nonisolated(unsafe) let observer = NotificationCenter.default.addObserver(
        forName: name, object: nil, queue: nil
      ) { _ in warn() }
      return { NotificationCenter.default.removeObserver(observer) }
    #elseif canImport(Darwin)
      let source = DispatchSource.makeMemoryPressureSource(
        eventMask: [.warning, .critical], queue: .global())
      source.setEventHandler(handler: warn)
      source.activate()
      // A dispatch source is thread-safe, but some SDKs don't declare it as `Sendable`.
      nonisolated(unsafe) let end: () -> Void = { source.cancel() }
      return { end() }
    #else
      return nil
    #endif
  }
}
