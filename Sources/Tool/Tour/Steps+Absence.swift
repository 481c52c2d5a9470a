import Strata

extension Step {
  /// What is not there: a page that does not exist, and an origin that has gone.
  static let absence: [Step] = [
    Step(title: "a page that does not exist (404)", answerer: nil, requests: 1) { scene in
      let text = try await scene.cache.find(scene.origin.url("/absent"))
      try expect(text == nil, "a page was found that does not exist")
      return nil
    },
    Step(
      title: "origin stopped: a page in memory", answerer: .memory, requests: 0,
      prepare: { $0.origin.stop() },
      act: { scene in
        try await scene.get("/README.md")
        return nil
      }),
    Step(title: "origin stopped: a page on disk", answerer: .disk, requests: 0) { scene in
      scene.cache.memoryWarning()
      try await scene.get("/README.md")
      return nil
    },
    Step(title: "origin stopped: an unknown page", answerer: nil, requests: 0) { scene in
      let promise = scene.cache.get(scene.origin.url("/unknown"))
      guard let error = try await promise.failure else {
        throw Broken(description: "a page was found that nobody has")
      }
      try expect(!error.isMiss, "that nothing could be reached is called a miss: \(error)")
      return "\(error)"
    },
  ]
}

extension Promise {
  /// The error that the promise fails with, or `nil` if it is kept.
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
