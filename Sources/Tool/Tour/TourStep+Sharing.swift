import Strata

extension TourStep {
  /// Steps with concurrent gets of one page.
  static let sharing: [TourStep] = [
    TourStep(title: "1,000 concurrent gets of one key", answerer: .network, requests: 1) { scene in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<1000 {
          group.addTask { try await scene.get("/Sources/StrataCore/Core/Algebra/Cache.swift") }
        }
        try await group.waitForAll()
      }
      return nil
    },
    TourStep(title: "one of two waiters cancelled", answerer: .network, requests: 1) { scene in
      let path = "/Sources/StrataCore/Core/Algebra/Fetcher.swift"
      let one = scene.cache.get(scene.origin.url(path))
      let other = scene.cache.get(scene.origin.url(path))
      one.cancel()
      let text = try await other.value
      try expect(one.outcome?.isCancelled == true, "the cancelled waiter has an answer")
      try expect(text == scene.pages[path], "the other waiter has another text")
      return nil
    },
  ]
}
