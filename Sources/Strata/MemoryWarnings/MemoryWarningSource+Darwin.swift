#if canImport(Darwin)
  import Foundation

  extension MemoryWarningSource {
    static var darwin: MemoryWarningSource {
      MemoryWarningSource { warn in
        #if os(iOS) || os(tvOS) || os(visionOS)
          let name = Notification.Name("UIApplicationDidReceiveMemoryWarningNotification")
          nonisolated(unsafe) let observer = NotificationCenter.default.addObserver(
            forName: name, object: nil, queue: nil
          ) { _ in warn() }
          return { NotificationCenter.default.removeObserver(observer) }
        #else
          let source = DispatchSource.makeMemoryPressureSource(
            eventMask: [.warning, .critical], queue: .global())
          source.setEventHandler(handler: warn)
          source.activate()
          return { source.cancel() }
        #endif
      }
    }
  }
#endif
