import Foundation

/// How often threads of this process have gone to sleep, which Linux counts in `/proc`.
enum ThreadSleeps {
  /// The directory of the current thread, or `nil` where there is none.
  static var ownFolder: String? {
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
    return link.map { "/proc/\($0)/" }
  }

  /// The directory of a thread with the given name, or `nil` if there isn't exactly one.
  static func folder(ofThreadNamed name: String) -> String? {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    let named = all.map { "/proc/self/task/\($0)/" }.filter { folder in
      let text = try? String(contentsOfFile: folder + "comm", encoding: .utf8)
      return text == "\(name)\n"
    }
    return named.count == 1 ? named[0] : nil
  }

  /// The number of sleeps of a thread, or `nil` if the system doesn't count them.
  static func count(in folder: String) -> Int? {
    let status = try? String(contentsOfFile: folder + "status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
    return line?.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) }
  }
}
