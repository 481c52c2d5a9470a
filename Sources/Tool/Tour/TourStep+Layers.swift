import Strata

extension TourStep {
  /// Steps that move a page between the levels.
  static let layers: [TourStep] = [
    TourStep(title: "cold get", answerer: .network, requests: 1) { scene in
      try await scene.get("/README.md")
      return nil
    },
    TourStep(title: "warm get", answerer: .memory, requests: 0) { scene in
      try await scene.get("/README.md")
      return nil
    },
    TourStep(title: "memory warning, then get", answerer: .disk, requests: 0) { scene in
      scene.cache.memoryWarning()
      try await scene.get("/README.md")
      return nil
    },
    TourStep(title: "clear, then get", answerer: .network, requests: 1) { scene in
      try await scene.cache.removeAll()
      try await scene.get("/README.md")
      return nil
    },
    TourStep(title: "set, then get through a second pipeline", answerer: .disk, requests: 0) {
      scene in
      let (note, second) = (scene.origin.url("/note"), scene.other())
      try await scene.cache.set("not on the origin", for: note)
      let text = try await second.value(for: note)
      try expect(text == "not on the origin", "the second pipeline reads a different text")
      return nil
    },
  ]
}
