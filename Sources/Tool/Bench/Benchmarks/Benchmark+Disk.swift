import Foundation
import Strata

extension Benchmark {
  /// The benchmarks of the disk level. Some benchmarks compare the disk level with bare system
  /// calls, Foundation's file functions, or SQLite.
  static let disk = [
    set(
      1 << 10, "1 KiB", keys: 1_024,
      [
        .ratio(must: 2.5, aim: 1.8), .ratio(to: sqlite, must: 1 / 6, aim: 1 / 10),
      ]),
    get(
      1 << 10, "1 KiB", keys: 1_024,
      [
        .ratio(must: 3, aim: 2.2), .ratio(to: contents, must: 1 / 4, aim: 1 / 5),
        // A get makes two system calls, because it also asks for the file's length, which shows what
        // other processes have written. SQLite in WAL mode reads that from shared memory.
        .ratio(to: sqlite, must: 1 / 1.8, aim: 1 / 2.3),
      ]),
    set(100 << 10, "100 KiB", keys: 128, []),
    get(100 << 10, "100 KiB", keys: 128, [.ratio(to: contents, must: 1.3, aim: 1.1)]),
    besideAWriter(1 << 10, "1 KiB"), besideAWriter(100 << 10, "100 KiB"), mix, opening, hitRatio,
    mainThread,
  ]

  private static let sqlite = "SQLite, WAL"
  private static let contents = "Data(contentsOf:)"

  private static func set(
    _ size: Int, _ name: String, keys count: Int, _ targets: [Target]
  ) -> Benchmark {
    Benchmark(.disk, "set of \(name)") { scale in
      let shelf = try Shelf(size: size, count: scale.entries(count))
      let log = try RawLog(in: shelf.directory)
      // The limit keeps samples small, so that the system doesn't write modified pages to the
      // device during a measurement.
      let limit = (32 << 20) / size
      let database = SQLite(in: shelf.directory)
      var subjects = [
        BenchmarkCase(name: "raw writev, appending", limit: limit) { count in
          try log.empty()
          for index in 0..<count { try log.append(shelf.names[index], shelf.data) }
        },
        BenchmarkCase(name: "Foundation's atomic write", limit: limit) { count in
          for index in 0..<count { try shelf.data.write(to: shelf.file(index), options: .atomic) }
        },
      ]
      if let database {
        subjects.append(
          BenchmarkCase(name: sqlite, limit: limit) { count in
            for index in 0..<count { try database.set(shelf.data, for: shelf.names[index]) }
          })
      }
      subjects.append(
        BenchmarkCase(
          name: "disk level", targets: targets.filter { $0.isMeant(for: subjects) }, limit: limit
        ) { count in
          for index in 0..<count {
            try await shelf.cache.set(shelf.data, for: shelf.names[index])
          }
        })
      return subjects
    }
  }

  private static func get(
    _ size: Int, _ name: String, keys count: Int, _ targets: [Target]
  ) -> Benchmark {
    Benchmark(.disk, "get of \(name)") { scale in
      let count = scale.entries(count)
      let shelf = try Shelf(size: size, count: count)
      let log = try RawLog(in: shelf.directory)
      let database = SQLite(in: shelf.directory)
      for index in 0..<count {
        try log.append(shelf.names[index], shelf.data)
        try shelf.data.write(to: shelf.file(index), options: .atomic)
        try database?.set(shelf.data, for: shelf.names[index])
        try await shelf.cache.set(shelf.data, for: shelf.names[index])
      }
      var subjects = [
        BenchmarkCase.reading("raw pread", shelf.names) { log.read($0, size) },
        BenchmarkCase.reading(contents, shelf.names) { try? Data(contentsOf: shelf.file($0)) },
      ]
      if let database {
        subjects.append(.reading(sqlite, shelf.names) { database.get($0) })
      }
      let wanted = targets.filter { $0.isMeant(for: subjects) }
      return subjects + [.reading("disk level", shelf.names, wanted) { shelf.cache.get($0) }]
    }
  }
}

extension Target {
  /// Returns whether `subjects` contains the case that this target names, or `true` if this target
  /// doesn't name a case. For example, the SQLite case is missing if SQLite isn't installed.
  fileprivate func isMeant(for subjects: [BenchmarkCase]) -> Bool {
    guard case .ratio(let name?) = measure else { return true }
    return subjects.contains { $0.name == name }
  }
}
