// Attacks the disk level: kills and stops processes that use the level, and makes system calls
// fail. After each attack, the program checks the recorded operations for linearizability. See
// `.ci/hostile/run`.
import Foundation

struct Scene {
  var name: String
  var processes = 3
  var threads = 2
  var keys = 40
  var capacity = 64 << 20
  var longest = 3_000
  /// The numbers of faults, stops, and kills per million system calls.
  var faults = 0, stops = 0, kills = 0
  /// The number of `clear` operations per 100,000 operations.
  var clears = 30
  /// The number of writes per million during which the process is killed.
  var tears = 0
  /// The number of processes per second that the coordinator kills from outside.
  var endings = 0
  /// The pause after each operation in microseconds.
  var pause = 0
  /// Whether the coordinator flips bits in the files.
  var isDamaged = false
  /// Whether the level's capacity suffices for all values. If `isAmple` is `true`, a miss between
  /// two hits of the same version is a fault. If `isAmple` is `true`, a miss between the `set` of a
  /// version and a later hit of that version is also a fault. The same holds for a miss after a
  /// successful `set`, unless an operation may have removed the value since.
  var isAmple = false
  /// The size of a volume to mount, in MiB.
  var volume: Int?
  /// Whether the coordinator fills the volume with another file from time to time. In the last
  /// second, the volume has room again, and at least half of the writes must succeed.
  var isCrowded = false
  /// The maximum size of a file that a process can write, in bytes.
  var longestFile: Int?
  /// Whether the processes run one after the other, each in exclusive mode.
  var isExclusive = false

  /// Whether a write is allowed to fail with the given error code. Even without injected faults, a
  /// write can fail because a stopped process holds the lock. The preloaded library lets some
  /// `writev` calls write only a part of the bytes. The level treats a partial write like a full
  /// volume, so a write can also fail with `ENOSPC`.
  func mayFail(with code: UInt64) -> Bool {
    [UInt64(EWOULDBLOCK), UInt64(ENOSPC)].contains(code) || faults > 0 || isDamaged
  }
}

let scenes = [
  Scene(name: "healthy, ample capacity", clears: 0, isAmple: true),
  Scene(name: "kills and stops", stops: 150, kills: 60, tears: 200),
  Scene(
    name: "values that survive kills", longest: 300_000, clears: 0, tears: 1_000, endings: 2,
    pause: 100, isAmple: true),
  Scene(
    name: "small values that survive kills", longest: 2_000, clears: 0, tears: 100, endings: 2,
    isAmple: true),
  Scene(
    name: "tiny capacity, kills, stops", capacity: 300_000, stops: 150, kills: 60, tears: 200),
  Scene(name: "1 % of calls fail", faults: 10_000),
  Scene(
    name: "0.1 % of calls fail, kills, stops, small", capacity: 600_000, faults: 1_000, stops: 100,
    kills: 50),
  Scene(name: "long values, kills", capacity: 32 << 20, longest: 400_000, stops: 100, kills: 300),
  Scene(name: "damage while open, kills", capacity: 2 << 20, kills: 60, isDamaged: true),
  Scene(
    name: "files of at most 200,000 bytes, kills", capacity: 2 << 20, kills: 60,
    longestFile: 200_000),
  Scene(
    name: "one process at a time, kills", processes: 1, threads: 4, capacity: 2 << 20, kills: 60,
    isExclusive: true),
  Scene(name: "full volume, kills", capacity: 64 << 20, longest: 60_000, kills: 60, volume: 12),
  // A segment of this capacity is four times as long as the volume.
  Scene(
    name: "volume without room for a segment", capacity: 64 << 20, longest: 20_000, kills: 60,
    volume: 1, isCrowded: true),
]

let arguments = CommandLine.arguments
switch arguments.count > 1 ? arguments[1] : "" {
case "work": work(arguments)
case "script": script(arguments)
default: coordinate(seconds: Int(arguments.dropFirst().first ?? "") ?? 5)
}

/// Returns the value with the given version and length. Each group of eight bytes is computed from
/// the version.
func value(_ version: UInt64, _ length: Int) -> Data {
  let words = (0..<max(1, length / 8)).map { version &+ UInt64($0) &* 0x9e37_79b9_7f4a_7c15 }
  return words.withUnsafeBytes { Data($0) }
}

/// Returns the version of a value that a get returned. Zero means a miss, and `.max` means bytes
/// that no process wrote.
func readVersion(_ data: Data?, _ key: Int) -> UInt64 {
  guard let data else { return 0 }
  guard data.count >= 8, data.count % 8 == 0 else { return .max }
  let version = data.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
  guard Int(version >> 48) == key, data == value(version, data.count) else { return .max }
  return version
}

extension SegmentLog {
  fileprivate func value(_ key: String) -> Data? {
    CanonicalKey.withBytes(of: key) { key in find(key).flatMap { read($0, of: key) }?.value }
  }
}

func log(_ directory: String, _ capacity: Int, isExclusive: Bool = false) -> SegmentLog {
  SegmentLog(
    directory: directory, capacity: capacity, isExclusive: isExclusive,
    background: { work in DispatchQueue.work.async(execute: work) })
}

/// Returns the code of the error that an operation throws, or 0 if the operation succeeds.
func code(_ body: () throws -> Void) -> Int32 {
  do { try body() } catch {
    guard case DiskError.unavailable(_, let operation, let code) = error else { return ENOSPC }
    // The disk level reports EWOULDBLOCK for two faults. If the failed operation is `flock`,
    // EWOULDBLOCK means that another process holds the lock. For any other operation, EWOULDBLOCK
    // means that the log changed too often during the operation, so this function returns EINTR.
    return code == EWOULDBLOCK && operation != "flock" ? EINTR : code
  }
  return 0
}

/// Runs random operations until the end time, unless the process is killed first. The first
/// arguments are the level's directory, the path of the history files, and the number of this
/// process. The next arguments are the number of threads, the number of keys, the level's capacity,
/// and the size of the longest value. The next arguments are the number of `clear` operations per
/// 100,000 operations, and the end time. The last arguments are the maximum size of a file, whether
/// the process uses the directory exclusively, and the pause after each operation.
func work(_ arguments: [String]) {
  let numbers = arguments[4...].map { Int($0)! }
  let (process, threads, keys) = (numbers[0], numbers[1], numbers[2])
  let (capacity, longest, clears) = (numbers[3], numbers[4], numbers[5])
  let end = UInt64(numbers[6])
  if numbers[7] > 0 {
    // Creates the history files before setting the limit on file sizes, because a history file is
    // larger than the limit.
    for thread in 0..<threads { _ = History("\(arguments[3])-\(thread)") }
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: rlim_t(numbers[7]), rlim_max: rlim_t.max)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  }
  let shared = log(arguments[2], capacity, isExclusive: numbers[8] == 1)
  DispatchQueue.concurrentPerform(iterations: threads) { thread in
    let history = History("\(arguments[3])-\(thread)")
    // Together, the key, process, thread, and count form a unique version for each write.
    var count: UInt64 = 0
    var random = SystemRandomNumberGenerator()
    while clock() < end, !history.isFull {
      if numbers[9] > 0 { usleep(UInt32(numbers[9])) }
      let key = Int.random(in: 0..<keys, using: &random)
      count += 1
      let version = UInt64(key) << 48 | UInt64(process) << 32 | UInt64(thread) << 28 | count
      switch Int.random(in: 0..<100_000, using: &random) {
      case ..<clears:
        history.begin(.clear, key)
        history.end(code: code { try shared.removeAll() })
      case 1_000..<5_000:
        history.begin(.remove, key)
        history.end(code: code { try shared.remove("k\(key)") })
      case 5_000..<30_000:
        let most = Int.random(in: 0..<10, using: &random) == 0 ? longest : min(longest, 600)
        let data = value(version, Int.random(in: 8...most, using: &random))
        history.begin(.set, key, version)
        history.end(code: code { try shared.set(data, for: "k\(key)") })
      default:
        history.begin(.get, key)
        history.end(readVersion(shared.value("k\(key)"), key))
      }
    }
  }
}

/// Runs a fixed sequence of operations, in which one system call fails. The arguments are the
/// level's directory and the path of the history file.
func script(_ arguments: [String]) {
  let shared = log(arguments[2], 64 << 10)
  let history = History("\(arguments[3])-0")
  for step in 1...60 {
    let key = step % 7
    let version = UInt64(key) << 48 | UInt64(step)
    history.begin(.set, key, version)
    let data = value(version, 1_000 + step % 9 * 800)
    history.end(code: code { try shared.set(data, for: "k\(key)") })
    if step % 11 == 0 {
      history.begin(.remove, key)
      history.end(code: code { try shared.remove("k\(key)") })
    }
    if step == 40 {
      history.begin(.clear, 0)
      history.end(code: code { try shared.removeAll() })
    }
    for key in 0..<7 {
      history.begin(.get, key)
      history.end(readVersion(shared.value("k\(key)"), key))
    }
  }
}
