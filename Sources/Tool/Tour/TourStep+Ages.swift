import Strata

extension TourStep {
  private static let page = "/Sources/StrataCore/Core/Algebra/Cache.swift"

  /// Steps in which a value expires, or a get returns a stale value during a refresh.
  static let ages: [TourStep] = [
    TourStep(title: "a value with a lifetime of 60 s", answerer: .network, requests: 1) { scene in
      try await scene.get(page, through: scene.aged.expiring)
      return nil
    },
    TourStep(title: "59 s later", answerer: .memory, requests: 0) { scene in
      scene.aged.clock.advance(by: .seconds(59))
      try await scene.get(page, through: scene.aged.expiring)
      return nil
    },
    TourStep(title: "1 s later: expired in memory and on disk", answerer: .network, requests: 1) {
      scene in
      scene.aged.clock.advance(by: .seconds(1))
      scene.aged.expiring.memoryWarning()
      try await scene.get(page, through: scene.aged.expiring)
      return nil
    },
    TourStep(
      title: "a stale value, immediately, and a refresh", answerer: .memory, requests: 1,
      prepare: { scene in
        try await scene.aged.refreshing.set("an older text", for: scene.origin.url(page))
        scene.aged.clock.advance(by: .seconds(60))
      },
      act: { scene in
        let text = try await scene.aged.refreshing.value(for: scene.origin.url(page))
        try expect(text == "an older text", "the get didn't return the stale value")
        return nil
      }, finish: { try await $0.events.filled([.memory, .disk]) }),
    TourStep(title: "again: the value was refreshed", answerer: .memory, requests: 0) { scene in
      try await scene.get(page, through: scene.aged.refreshing)
      return nil
    },
  ]

  /// Steps that read stale values while the origin is down.
  static let outage: [TourStep] = [
    TourStep(title: "origin stopped: stale for half an hour", answerer: .memory, requests: 0) {
      scene in
      scene.aged.clock.advance(by: .seconds(1800))
      try await scene.get(page, through: scene.aged.refreshing)
      return nil
    },
    TourStep(title: "origin stopped: too old to be served", answerer: nil, requests: 0) { scene in
      scene.aged.clock.advance(by: .seconds(3600))
      scene.events.reset()
      let promise = scene.aged.refreshing.get(scene.origin.url(page))
      do {
        _ = try await promise.value
        throw StepFailure(description: "an expired value was returned")
      } catch let error as NetworkError {
        return "\(error)"
      }
    },
  ]
}
