import Strata

extension Step {
  /// Many who want one page.
  static let sharing: [Step] = [
    Step(title: "1,000 gets of one key at once", answerer: .network, requests: 1) { scene in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<1000 { group.addTask { try await scene.get("/Sources/Strata/Cache.swift") } }
        try await group.waitForAll()
      }
      return nil
    },
    Step(title: "one of two waiters cancelled", answerer: .network, requests: 1) { scene in
      let path = "/Sources/Strata/Fetcher.swift"
      let one = scene.cache.get(scene.origin.url(path))
      let other = scene.cache.get(scene.origin.url(path))
      one.cancel()
      let text = try await other.value
      try expect(one.outcome?.isCancelled == true, "the waiter that was cancelled has an answer")
      try expect(text == scene.pages[path], "the other waiter has another text")
      return nil
    },
  ]
}
