import Foundation
import Strata

extension TourStep {
  /// Steps with unreadable records, which the pipeline replaces with values from the next level.
  static let healing: [TourStep] = [
    TourStep(
      title: "a record of an older model", answerer: .network, requests: 1,
      prepare: { scene in
        let (text, url) = ("text of model 1", scene.origin.url("/Package.swift"))
        try await scene.other(.versioned(1, .utf8)).set(text, for: url)
        let stored = try await scene.other(.versioned(1, .utf8)).value(for: url)
        try expect(stored == text, "the record of the older model is missing")
      },
      act: { scene in
        try await scene.get("/Package.swift", through: scene.other(.versioned(2, .utf8)))
        return nil
      }),
    TourStep(title: "again: the record was replaced", answerer: .disk, requests: 0) { scene in
      try await scene.get("/Package.swift", through: scene.other(.versioned(2, .utf8)))
      return nil
    },
    TourStep(
      title: "a record with a flipped bit", answerer: .network, requests: 1,
      prepare: { scene in
        let text = "a text to damage on disk"
        let url = scene.origin.url("/Sources/StrataCore/Core/Algebra/Operators.swift")
        try await scene.cache.set(text, for: url)
        try flipBit(of: text, in: scene.directory)
      },
      act: { scene in
        try await scene.get(
          "/Sources/StrataCore/Core/Algebra/Operators.swift", through: scene.other())
        return nil
      }),
    TourStep(title: "again: the record was replaced", answerer: .disk, requests: 0) { scene in
      try await scene.get(
        "/Sources/StrataCore/Core/Algebra/Operators.swift", through: scene.other())
      return nil
    },
  ]

  /// Flips one bit in the middle of the given text, in each file that contains the text.
  private static func flipBit(of text: String, in directory: URL) throws {
    let files = FileManager.default.enumerator(at: directory, includingPropertiesForKeys: nil)
    var flips = 0
    for case let file as URL in files ?? .init() {
      guard let data = try? Data(contentsOf: file), let index = data.range(of: Data(text.utf8))
      else { continue }
      let offset = index.lowerBound + index.count / 2
      let handle = try FileHandle(forUpdating: file)
      defer { try? handle.close() }
      try handle.seek(toOffset: UInt64(offset))
      try handle.write(contentsOf: Data([data[offset] ^ 1]))
      flips += 1
    }
    try expect(flips > 0, "no file on disk contains the written record")
  }
}
