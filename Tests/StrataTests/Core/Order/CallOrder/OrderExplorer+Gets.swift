@testable import StrataCore
@testable import StrataVerbs

/// The gets of a sum, and of a pool above it.
extension OrderExplorer {
  func beginGet(_ w: inout World, _ client: Int, _ key: Int) {
    let index = (0...).first { w.gets[$0] == nil } ?? 0
    var get = World.Get(client: client, key: key)
    (get.ended, get.called, get.begun) = (w.ended, w.called, w.order.versions.now)
    w.open[client] = index
    if scope.pools, let leader = joinable(w, key) {
      (get.phase, get.leader) = (.joins, leader)
      w.gets[index] = get
      return
    }
    w.gets[index] = get
    guard !w.order.isTopQuiet, let write = writeToWaitFor(w, key) else { return mayRead(&w, index) }
    w.gets[index]?.behind = write
  }

  private func joinable(_ w: World, _ key: Int) -> Int? {
    w.gets.sorted { $0.key < $1.key }.first { _, load in
      guard load.key == key, load.phase != .joins else { return false }
      if scope.fault == .poolIgnoresWrites { return true }
      return !w.order.versions.isWritten(hash(key) ?? 0, since: load.begun)
    }?.key
  }

  private func writeToWaitFor(_ w: World, _ key: Int) -> UInt64? {
    let hash = hash(key) ?? 0
    switch scope.fault {
    case .getNeverWaits: return nil
    case .getWaitsOnlyForParked: return w.order.turns[hash]?.parked.last
    default: return w.order.detachedWrite(hash)
    }
  }

  private func mayRead(_ w: inout World, _ index: Int) {
    w.gets[index]?.phase = .calls
    w.gets[index]?.behind = 0
    w.gets[index]?.since = w.order.versions.now
  }

  /// Lets the gets continue whose write has been called or has ended.
  func release(_ w: inout World) {
    for index in w.gets.keys.sorted() where w.gets[index]?.phase == .waits {
      let behind = w.gets[index]?.behind
      let isBlocked = w.operations.values.contains {
        $0.ticket == behind && !$0.hasEnded && !$0.hasLeft && ($0.isParked || $0.isRunning)
      }
      if !isBlocked { mayRead(&w, index) }
    }
  }

  /// Moves a get to the next level that it may read, calls it, and begins the repair of the levels
  /// that it skips.
  func call(_ w: inout World, _ index: Int) {
    guard let get = w.gets[index], let hash = hash(get.key) else { return }
    var level = get.level
    while level < scope.levels, isHidden(w, get.key, level), scope.fault != .getReadsHidden {
      repair(&w, hash)
      repair(&w, nil)
      level += 1
    }
    w.gets[index]?.level = level
    guard level < scope.levels else { return endGet(&w, index, 0) }
    if scope.sync.contains(level) {
      return answered(&w, index, w.levels[level].values[get.key])
    }
    w.gets[index]?.phase = .reads
    w.levels[level].queues[get.key].append(World.Entry(isRead: true, index: index))
    if !get.isWatching, get.mayFill {
      let isCurrent = w.order.versions.watch(hash, since: get.since)
      w.gets[index]?.isWatching = isCurrent
      w.gets[index]?.mayFill = isCurrent
    }
  }

  private func isHidden(_ w: World, _ key: Int, _ level: Int) -> Bool {
    let (order, hash) = (w.order, hash(key) ?? 0)
    let isQuiet = level == 0 ? order.isTopQuiet : order.isQuiet
    guard !isQuiet, let skip = order.skip(hash, in: level) else { return false }
    return skip.keys.isEmpty || skip.keys.contains { OrderKey.number($0) == key }
  }

  func answered(_ w: inout World, _ index: Int, _ value: Int) {
    guard let get = w.gets[index] else { return }
    if value == 0 {
      w.gets[index]?.level += 1
      w.gets[index]?.phase = .calls
      if get.level + 1 == scope.levels { endGet(&w, index, 0) }
    } else if get.level == 0 {
      endGet(&w, index, value)
    } else {
      w.gets[index]?.phase = .fills
      w.gets[index]?.value = value
    }
  }

  func fill(_ w: inout World, _ index: Int) {
    guard let get = w.gets[index], let hash = hash(get.key) else { return }
    let ignores = scope.fault == .fillIgnoresWrites
    let since = ignores ? w.order.versions.now : get.since
    if get.mayFill || ignores, let ticket = w.order.fill(hash, since: since) {
      let levels = (0..<get.level).filter {
        scope.fault == .fillsTwice
          ? w.order.isHidden(hash, in: $0) == nil
          : w.order.mayFill(hash, in: $0)
      }
      if levels.isEmpty {
        _ = w.order.leave(ticket, hash, .fill, OrderKey.all[get.key])
      } else {
        begin(
          &w,
          World.Operation(
            role: .fill, key: get.key, value: get.value, ticket: ticket, levels: levels))
        for level in levels {
          let isBusy = w.operations.values.contains {
            $0.role == .fill && $0.ticket != ticket && $0.key == get.key
              && $0.status[level] == .pending
          }
          if isBusy { violation = "two back-fills of a key are in flight in a level" }
        }
      }
    }
    endGet(&w, index, get.value)
  }

  private func endGet(_ w: inout World, _ index: Int, _ value: Int) {
    guard let get = w.gets[index] else { return }
    for (other, joined) in w.gets where joined.leader == index { endGet(&w, other, value) }
    if get.isWatching { w.order.versions.unwatch(hash(get.key) ?? 0) }
    w.gets[index] = nil
    w.open[get.client] = nil
    guard value != 0 else { return }
    for id in 2..<scope.keyOfWrite.count where id != value {
      let key = scope.keyOfWrite[id]
      guard key < 0 || key == get.key, w.ranks[id] > w.ranks[value] else { continue }
      if get.ended.contains(id) { violation = "a get returned \(value) although \(id) had ended" }
      if get.called.contains(id), !w.lapsed.contains(id) {
        violation = "a get returned \(value) although \(id) had been called"
      }
    }
  }
}
