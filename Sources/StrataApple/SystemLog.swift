#if canImport(os)
  import os

  extension CacheObserver {
    /// Returns an observer that writes each event to the unified log.
    ///
    /// Failures are logged at the level `error`, and all other events at `debug`. Keys and errors
    /// might contain secrets, so keys aren't logged, and the text of an error is marked as private.
    ///
    ///     let logger = Logger(subsystem: "com.example.app", category: "photos")
    ///     let seen = memory.observed(by: .log(to: logger))
    ///
    /// - Parameter logger: The logger that receives the events.
    public static func log(to logger: Logger) -> CacheObserver {
      CacheObserver(measuringHits: true) { event in
        if case .failure(let error) = event.outcome {
          let operation = "\(event.stage): \(event.operation.rawValue) failed"
          let reason = bounded("\(error)")
          logger.log(level: .error, "\(operation, privacy: .public): \(reason, privacy: .private)")
        } else {
          logger.log(level: .debug, "\(event.description, privacy: .public)")
        }
      }
    }

    /// Returns an observer that emits each event as a signpost, for Instruments.
    ///
    /// Each event is emitted when its operation ends, and includes the operation's duration, but no
    /// error. But the observer emits nothing unless Instruments is recording.
    ///
    ///     let signposter = OSSignposter(subsystem: "com.example.app", category: "photos")
    ///     let seen = memory.observed(by: .signposts(to: signposter))
    ///
    /// - Parameter signposter: The signposter that receives the events.
    public static func signposts(to signposter: OSSignposter) -> CacheObserver {
      CacheObserver(measuringHits: true) { event in
        guard signposter.isEnabled else { return }
        let end =
          if case .failure = event.outcome {
            "\(event.stage): \(event.operation.rawValue) failed"
          } else { event.description }
        signposter.emitEvent("cache", "\(end, privacy: .public)")
      }
    }
  }
#endif
