import Foundation

private let base = NSTemporaryDirectory() + "strata-hostile-\(getpid())"
private let eachCallName = "each call fails once"
private let counterNames = ["calls", "faults", "stops", "kills"]

/// Runs each test scene for the given number of seconds. Exits with status 1 if the check of any
/// scene fails. The environment variable `HOSTILE_SCENE` selects the scenes whose names begin with
/// the variable's value.
func coordinate(seconds: Int) {
  let prefix = ProcessInfo.processInfo.environment["HOSTILE_SCENE"] ?? ""
  var isLawful = true
  if eachCallName.hasPrefix(prefix) {
    isLawful = eachCall(every: seconds < 30 ? 40 : seconds < 300 ? 8 : 1)
  }
  for scene in scenes where scene.name.hasPrefix(prefix) {
    isLawful = run(scene, seconds) && isLawful
  }
  exit(isLawful ? 0 : 1)
}

/// Prints a line immediately, unlike `print`, which buffers lines if the output is a pipe.
private func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

private func prepare(_ volume: Int? = nil) -> Bool {
  let files = FileManager.default
  if volume != nil { _ = shell("umount", "-l", base + "/volume") }
  try? files.removeItem(atPath: base)
  do {
    try files.createDirectory(atPath: base + "/volume", withIntermediateDirectories: true)
  } catch {
    say("Can't create the directory of the attack: \(error)")
    exit(2)
  }
  _ = files.createFile(atPath: base + "/counts", contents: Data(count: 4_096))
  guard let volume else { return true }
  return shell("mount", "-t", "tmpfs", "-o", "size=\(volume)m,mode=700", "tmpfs", base + "/volume")
}

private func shell(_ command: String...) -> Bool {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = command
  process.standardError = FileHandle.nullDevice
  guard (try? process.run()) != nil else { return false }
  process.waitUntilExit()
  return process.terminationStatus == 0
}

private var counts: [Int] {
  let data = FileManager.default.contents(atPath: base + "/counts") ?? Data(count: 32)
  return data.withUnsafeBytes { bytes in
    (0..<4).map { Int(bytes.load(fromByteOffset: 8 * $0, as: UInt64.self)) }
  }
}

private func spawn(_ arguments: [String], _ environment: [String: String]) -> pid_t {
  let preload = ProcessInfo.processInfo.environment["HOSTILE_LIBRARY"] ?? ""
  let directory = base + "/volume/store"
  let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }.merging([
    "LD_PRELOAD": preload, "HOSTILE_DIRECTORY": directory, "HOSTILE_COUNTS": base + "/counts",
  ]) { $1 }
  var pid = pid_t()
  let all = [CommandLine.arguments[0]] + arguments
  var argv = all.map { strdup($0) } + [nil]
  var envp = variables.map { strdup("\($0)=\($1)") } + [nil]
  posix_spawn(&pid, "/proc/self/exe", nil, nil, &argv, &envp)
  (argv + envp).forEach { free($0) }
  return pid
}

private func histories() -> [[Operation]] {
  let names = (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? []
  return names.filter { $0.hasPrefix("history") }.map { History(base + "/" + $0).all }
}

private func report(
  _ scene: Scene, _ verdict: Verdict, failed: [UInt64: Int], _ ended: Int
) -> Bool {
  var counts = counts
  counts[3] += ended
  let numbers = zip(counterNames, counts).map { "\($1) \($0)" }.joined(separator: ", ")
  let codes = failed.sorted { $0.key < $1.key }.map {
    "\($1) with \(String(cString: strerror(Int32($0))))"
  }
  say(
    "\(scene.name): \(verdict.operations) operations, \(numbers); failed: "
      + "\(codes.isEmpty ? "none" : codes.joined(separator: ", ")); \(verdict.wrong) wrong, \(verdict.future) future, \(verdict.stale) stale, "
      + "\(verdict.flickers) flickers, \(verdict.lost) lost")
  for example in verdict.examples.prefix(5) { say("  " + example) }
  let isLawful = verdict.wrong + verdict.future + verdict.stale == 0
  return isLawful && !(scene.isAmple && verdict.flickers + verdict.lost > 0)
    && failed.keys.allSatisfy(scene.mayFail)
}

private func run(_ scene: Scene, _ seconds: Int) -> Bool {
  guard prepare(scene.volume) else {
    say("\(scene.name): skipped, because mounting isn't permitted")
    return true
  }
  defer {
    if scene.volume != nil { _ = shell("umount", "-l", base + "/volume") }
    try? FileManager.default.removeItem(atPath: base)
  }
  let end = clock() + UInt64(seconds) * 1_000_000_000
  var (born, workers) = (0, Set<pid_t>())
  // A longer run writes more values, so it needs a larger capacity to store all of them.
  let capacity = scene.isAmple ? scene.capacity * max(1, seconds) : scene.capacity
  func begin() {
    born += 1
    let numbers = [
      born, scene.threads, scene.keys, capacity, scene.longest, scene.clears, Int(end),
      scene.longestFile ?? 0, scene.isExclusive ? 1 : 0, scene.pause,
    ]
    workers.insert(
      spawn(
        ["work", base + "/volume/store", base + "/history-\(born)"] + numbers.map(String.init),
        [
          "HOSTILE_SEED": "\(born * 7_919 + seconds)", "HOSTILE_FAULTS": "\(scene.faults)",
          "HOSTILE_STOPS": "\(scene.stops)", "HOSTILE_KILLS": "\(scene.kills)",
          "HOSTILE_TEARS": "\(scene.tears)",
        ]))
  }
  var (ended, next): (Int, UInt64) = (0, clock())
  let lastSecond = end - 1_000_000_000
  while clock() < end {
    if scene.isCrowded { crowd(clock() < lastSecond && clock() % 1_000_000_000 < 500_000_000) }
    while workers.count < scene.processes { begin() }
    if scene.endings > 0, clock() > next, let worker = workers.randomElement() {
      // A signal from outside can also cut off a write in the middle of the system call.
      kill(worker, SIGKILL)
      ended += 1
      next = clock() + UInt64.random(in: 0..<2_000_000_000) / UInt64(scene.endings)
    }
    if scene.isDamaged { damage() }
    usleep(10_000)
    reap(&workers)
  }
  let last = clock() + 20_000_000_000
  while !workers.isEmpty, clock() < last {
    usleep(10_000)
    reap(&workers)
  }
  var isLawful = workers.isEmpty
  if !isLawful { say("\(scene.name): \(workers.count) processes didn't end within 20 seconds") }
  for worker in workers { kill(worker, SIGKILL) }
  let all = histories()
  let failed = all.joined().lazy.filter { $0.hasReturned && !$0.hasSucceeded }
    .reduce(into: [UInt64: Int]()) { $0[$1.code, default: 0] += 1 }
  let verdict = check(all, keys: scene.keys)
  isLawful = report(scene, verdict, failed: failed, ended) && isLawful
  return isLawful && (!scene.isCrowded || works(all, after: lastSecond))
}

/// Whether at least half of the writes after a time were successful.
private func works(_ histories: [[Operation]], after time: UInt64) -> Bool {
  let writes = histories.joined().filter {
    $0.start > time && $0.hasReturned && $0.kind != Operation.Kind.get.rawValue
  }
  let successes = writes.count { $0.hasSucceeded }
  say("  with room again, \(successes) of \(writes.count) writes succeeded")
  return successes > 0 && 2 * successes >= writes.count
}

/// Fills the volume with a file, or removes the file.
private func crowd(_ isFull: Bool) {
  let path = base + "/volume/crowd"
  if !isFull { return _ = unlink(path) }
  let file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
  defer { close(file) }
  let bytes = [UInt8](repeating: 1, count: 4_096)
  while write(file, bytes, bytes.count) > 0 {}
}

/// Resumes stopped processes, and removes ended processes from `workers`.
private func reap(_ workers: inout Set<pid_t>) {
  for worker in workers {
    var status: Int32 = 0
    guard waitpid(worker, &status, WNOHANG | WUNTRACED) == worker else { continue }
    if status & 0xff == 0x7f {
      // After about one in 200 stops, waits 1.2 seconds, which is longer than any process waits for
      // a lock.
      if Int.random(in: 0..<200) == 0 { usleep(1_200_000) }
      kill(worker, SIGCONT)
    } else {
      if status & 0x7f != SIGKILL, status != 0 { say("  a process ended with status \(status)") }
      workers.remove(worker)
    }
  }
}

/// Flips one bit in one file.
private func damage() {
  let store = base + "/volume/store"
  let names = (try? FileManager.default.contentsOfDirectory(atPath: store)) ?? []
  guard Int.random(in: 0..<3) == 0, let name = names.randomElement() else { return }
  let file = open(store + "/" + name, O_RDWR)
  defer { close(file) }
  let size = lseek(file, 0, SEEK_END)
  guard file >= 0, size > 0 else { return }
  let offset = off_t.random(in: max(0, Bool.random() ? size - 300 : 0)..<size)
  var byte: UInt8 = 0
  pread(file, &byte, 1, offset)
  byte ^= 1 << UInt8.random(in: 0..<8)
  pwrite(file, &byte, 1, offset)
}

/// Runs a fixed sequence of operations many times, and checks the history of each run. In each run,
/// a different system call fails.
private func eachCall(every step: Int) -> Bool {
  var (runs, isLawful, sum) = (0, true, Verdict())
  // The code 0 means that the call transfers fewer bytes instead of failing.
  for code in [EIO, ENOSPC, EMFILE, EDQUOT, EINTR, 0] {
    var nth = 1
    while nth < 100_000 {
      _ = prepare()
      let pid = spawn(
        ["script", base + "/volume/store", base + "/history-1"],
        ["HOSTILE_NTH": "\(nth)", "HOSTILE_CODE": "\(code)"])
      var status: Int32 = 0
      waitpid(pid, &status, 0)
      let verdict = check(histories(), keys: 7)
      runs += 1
      sum.operations += verdict.operations
      sum.stale += verdict.stale
      if status != 0 || verdict.wrong + verdict.future + verdict.stale > 0 {
        say("  call \(nth), error \(code), status \(status): \(verdict.examples.prefix(2))")
        isLawful = false
      }
      if counts[0] < nth { break }
      nth += step
    }
  }
  say("\(eachCallName): \(runs) runs, \(sum.operations) operations; \(sum.stale) stale")
  try? FileManager.default.removeItem(atPath: base)
  return isLawful
}
