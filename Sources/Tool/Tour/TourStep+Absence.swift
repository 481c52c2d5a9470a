import Strata

extension TourStep {
  /// Steps with a missing page and an unreachable origin.
  static let absence: [TourStep] = [
    TourStep(title: "a page that doesn't exist (404)", answerer: nil, requests: 1) { scene in
      let text = try await scene.cache.findValue(for: scene.origin.url("/absent"))
      try expect(text == nil, "found a page that doesn't exist")
      return nil
    },
    TourStep(
      title: "origin stopped: a page in memory", answerer: .memory, requests: 0,
      prepare: { $0.origin.stop() },
      act: { scene in
        try await scene.get("/README.md")
        return nil
      }),
    TourStep(title: "origin stopped: a page on disk", answerer: .disk, requests: 0) { scene in
      scene.cache.memoryWarning()
      try await scene.get("/README.md")
      return nil
    },
    TourStep(title: "origin stopped: an unknown page", answerer: nil, requests: 0) { scene in
      let promise = scene.cache.get(scene.origin.url("/unknown"))
      guard let error = try await promise.failure else {
        throw StepFailure(description: "found a page that no level has")
      }
      try expect(!error.isMiss, "an unreachable origin is reported as a miss: \(error)")
      return "\(error)"
    },
  ]
}

extension Promise {
  /// The error of the promise, or `nil` if the promise succeeds.
  fileprivate var failure: (any Error)? {
    get async throws {
      do { _ = try await value } catch is CancellationError {
        throw CancellationError()
      } catch {
        return error
      }
      return nil
    }
  }
}
