import Strata

extension Step {
  private static let page = "/Sources/Strata/Cache.swift"

  /// Values that grow old: expired, and stale while a refresh runs.
  static let ages: [Step] = [
    Step(title: "a value that lives for 60 s", answerer: .network, requests: 1) { scene in
      try await scene.get(page, through: scene.aged.expiring)
      return nil
    },
    Step(title: "59 s later", answerer: .memory, requests: 0) { scene in
      scene.aged.clock.advance(by: .seconds(59))
      try await scene.get(page, through: scene.aged.expiring)
      return nil
    },
    Step(title: "1 s later: expired in memory and on disk", answerer: .network, requests: 1) {
      scene in
      scene.aged.clock.advance(by: .seconds(1))
      scene.aged.expiring.memoryWarning()
      try await scene.get(page, through: scene.aged.expiring)
      return nil
    },
    Step(
      title: "a stale value: at once, a refresh behind it", answerer: .memory, requests: 1,
      prepare: { scene in
        try await scene.aged.refreshing.set("an older text", for: scene.origin.url(page)).value
        scene.aged.clock.advance(by: .seconds(60))
      },
      act: { scene in
        let text = try await scene.aged.refreshing.value(for: scene.origin.url(page))
        try expect(text == "an older text", "the stale value was not answered at once")
        return nil
      }, finish: { try await $0.watch.filled([.memory, .disk]) }),
    Step(title: "the same again: it was refreshed", answerer: .memory, requests: 0) { scene in
      try await scene.get(page, through: scene.aged.refreshing)
      return nil
    },
  ]

  /// An origin that is down, and values that are older than they should be.
  static let outage: [Step] = [
    Step(title: "origin stopped: stale for half an hour", answerer: .memory, requests: 0) { scene in
      scene.aged.clock.advance(by: .seconds(1800))
      try await scene.get(page, through: scene.aged.refreshing)
      return nil
    },
    Step(title: "origin stopped: too old to be served", answerer: nil, requests: 0) { scene in
      scene.aged.clock.advance(by: .seconds(3600))
      scene.watch.reset()
      let promise = scene.aged.refreshing.get(scene.origin.url(page))
      do {
        _ = try await promise.value
        throw Broken(description: "a dead value was served")
      } catch let error as NetworkError {
        return "\(error)"
      }
    },
  ]
}
