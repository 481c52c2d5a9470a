import Foundation
import Strata
import XCTest

@testable import StrataRedis

final class RedisPipelineTests: XCTestCase {
  private let answers = Lock<[String: Result<RedisReply, RedisFailure>]>([:])

  private func request(
    _ name: String, _ form: RedisRequest.Form, deadline: Int64 = .max
  ) -> RedisRequest {
    RedisClosureRequest(
      form, name: Array("key".utf8), isRepeatable: true, deadline: deadline, size: 0
    ) { [answers] answer, _ in
      answers.withLock { $0[name] = answer }
    }
  }

  /// The server refuses to begin an epoch, and the write that needs the epoch has timed out.
  func testOnlyTheWriteThatNeedsAnEpochFailsIfThereIsNone() throws {
    let epoch = RedisEpoch(key: Array("epoch".utf8))
    let set = RedisSet(
      value: Data(),
      trailer: RedisRecord.Trailer(RedisRecord(contents: Data(), created: 0), []), lifetime: nil)
    var pipeline = RedisPipeline()
    pipeline.add([
      request("set", .set(epoch, set), deadline: 1),
      request("get", .get(epoch)),
      request("other set", .set(epoch, set)),
    ])
    let refusal = RedisReply.failure(Array("OOM full".utf8))
    pipeline.fill()
    XCTAssertFalse(pipeline.expire(at: 1))
    try pipeline.receive(.whole(refusal))
    try pipeline.receive(.whole(.null))
    pipeline.deliver()
    XCTAssertEqual(answers.withLock { $0 }, ["set": .failure(.timedOut)])

    pipeline.fill()
    try pipeline.receive(.header(count: 2))
    try pipeline.receive(.element(.null))
    try pipeline.receive(.element(.null))
    try pipeline.receive(.whole(refusal))
    try pipeline.receive(.whole(.null))
    pipeline.deliver()
    XCTAssertEqual(
      answers.withLock { $0 },
      [
        "set": .failure(.timedOut), "get": .success(.null),
        "other set": .failure(.error(.server(code: "OOM", message: "full"))),
      ])
    XCTAssertFalse(pipeline.hasRequests)
  }

  /// After a restart of the server, the epoch is removed. Before the server has answered, the
  /// connection is lost.
  func testARestartIsNoticedAgainIfTheRemovalWasNotAnswered() throws {
    let epoch = RedisEpoch(key: Array("epoch".utf8))
    (epoch.run, epoch.number) = (Array("old".utf8), 7)
    var pipeline = RedisPipeline()
    pipeline.run = Array("new".utf8)
    pipeline.add([request("get", .get(epoch))])
    func sent() -> String {
      pipeline.fill()
      defer { pipeline.removeOutput(pipeline.output.bytes.count) }
      return String(decoding: pipeline.output.bytes, as: UTF8.self)
    }
    XCTAssertTrue(sent().contains("epoch-run"))
    try pipeline.receive(.whole(.bytes(Data("old".utf8))))
    XCTAssertTrue(sent().contains("UNLINK"))
    pipeline.interrupt(.connectionLost("test"))
    XCTAssertTrue(sent().contains("epoch-run"), "The epoch may still be that of the earlier run.")
    try pipeline.receive(.whole(.bytes(Data("old".utf8))))
    XCTAssertFalse(sent().contains("SET"), "The epoch may still be that of the earlier run.")
    try pipeline.receive(.whole(.integer(1)))
    XCTAssertEqual(epoch.run, Array("new".utf8))
    XCTAssertTrue(sent().contains("SET"))
  }

  /// Otherwise, gets would return values that were replaced before the restart.
  func testAnEpochThatTheServerDoesNotRemoveIsNotUsed() throws {
    let epoch = RedisEpoch(key: Array("epoch".utf8))
    (epoch.run, epoch.number) = (Array("old".utf8), 7)
    var pipeline = RedisPipeline()
    pipeline.run = Array("new".utf8)
    for attempt in 0..<2 {
      pipeline.add([request("\(attempt)", .get(epoch))])
      pipeline.fill()
      try pipeline.receive(.whole(.bytes(Data("old".utf8))))
      for command in ["UNLINK", "DEL"] {
        pipeline.fill()
        XCTAssertTrue(String(decoding: pipeline.output.bytes, as: UTF8.self).contains(command))
        pipeline.removeOutput(pipeline.output.bytes.count)
        try pipeline.receive(.whole(.failure(Array("MISCONF disk".utf8))))
      }
      pipeline.deliver()
      let refusal = RedisError.server(code: "MISCONF", message: "disk")
      XCTAssertEqual(answers.withLock { $0["\(attempt)"] }, .failure(.error(refusal)))
      XCTAssertEqual(epoch.run, Array("old".utf8))
    }
    XCTAssertFalse(pipeline.hasRequests)
  }

  /// A silent server must not keep a client from closing after the deadlines.
  func testARequestThatHasTimedOutIsAwaitedButOwedNoMore() {
    var pipeline = RedisPipeline()
    XCTAssertFalse(pipeline.isOwing)
    pipeline.add([request("get", .get(RedisEpoch(key: Array("epoch".utf8))), deadline: 1)])
    XCTAssertTrue(pipeline.isOwing)
    pipeline.fill()
    XCTAssertTrue(pipeline.isOwing)
    XCTAssertTrue(pipeline.expire(at: 1))
    XCTAssertEqual([pipeline.hasRequests, pipeline.isOwing], [true, false])
  }

  func testValuesOfABulkGetThatHasTimedOutDontReachTheNextOne() throws {
    let epoch = RedisEpoch(key: Array("epoch".utf8))
    let form = RedisRequest.Form.gets(RedisNames(of: ["a", "b"], prefix: []), epoch)
    let (first, second) = (request("first", form, deadline: 1), request("second", form))
    let values = (0..<4).map { RedisReply.bytes(Data([UInt8($0)])) }
    var pipeline = RedisPipeline()
    pipeline.add([first, second])
    pipeline.fill()
    try pipeline.receive(.header(count: 5))
    for reply in [.bytes(Data(RedisEpoch.bytes(7))), values[0]] {
      try pipeline.receive(.element(reply))
    }
    XCTAssertTrue(pipeline.expire(at: 1))
    XCTAssertEqual([first.elements, second.elements], [[values[0]], []])
    for value in values[1...] { try pipeline.receive(.element(value)) }
    pipeline.deliver()
    XCTAssertEqual(second.elements, Array(values[2...]))
    XCTAssertEqual(second.elementsEpoch, 7)
    XCTAssertEqual(
      answers.withLock { $0 }, ["first": .failure(.timedOut), "second": .success(values[3])])
    XCTAssertFalse(pipeline.hasRequests)
  }

  func testAClearThatTimesOutForgetsItsEpoch() {
    let epoch = RedisEpoch(key: Array("epoch".utf8))
    var pipeline = RedisPipeline()
    pipeline.add([request("clear", .clear(epoch), deadline: 1)])
    pipeline.fill()
    XCTAssertNotNil(epoch.number)
    XCTAssertTrue(pipeline.expire(at: 1))
    XCTAssertNil(epoch.number, "The server may not have received the new number yet.")
  }

  func testAClearWhoseConnectionIsLostForgetsItsEpoch() throws {
    for error: RedisError in [.connectionLost("lost"), .tls("lost"), .unreachable("lost")] {
      try loseClear(with: error)
    }
  }

  private func loseClear(with error: RedisError) throws {
    let epoch = RedisEpoch(key: Array("epoch".utf8))
    var pipeline = RedisPipeline()
    let clear = RedisClosureRequest(
      .clear(epoch), name: epoch.key, isRepeatable: false, deadline: .max, size: 0
    ) { [answers] answer, _ in answers.withLock { $0["clear"] = answer } }
    pipeline.add([clear])
    pipeline.fill()
    XCTAssertNotNil(epoch.number)
    pipeline.interrupt(error)
    XCTAssertEqual(
      answers.withLock { $0 }, ["clear": .failure(.error(.connectionLost("lost")))],
      "The clear may have taken effect.")
    XCTAssertNil(epoch.number, "The server may not have received the new number.")
  }

  /// Another process has begun an epoch. A get notices it, and the next write uses it.
  func testAGetNotesTheEpochOfItsReply() throws {
    let epoch = RedisEpoch(key: Array("epoch".utf8))
    epoch.number = 1
    var pipeline = RedisPipeline()
    pipeline.add([request("get", .get(epoch)), request("other", .get(epoch))])
    pipeline.fill()
    try pipeline.receive(.header(count: 3))
    try pipeline.receive(.element(.bytes(Data(RedisEpoch.bytes(7)))))
    XCTAssertEqual(epoch.number, 7)
    XCTAssertEqual(epoch.served, 7)
    for _ in 0..<2 { try pipeline.receive(.element(.null)) }
    pipeline.deliver()
    XCTAssertEqual(answers.withLock { $0.count }, 2)
    XCTAssertFalse(pipeline.hasRequests)
  }

  func testEachReaderOfASharedEpochHasItsOwnDeadline() throws {
    let readers = RedisEpochReaders()
    XCTAssertTrue(readers.add(5) { _ in })
    XCTAssertFalse(readers.add(9) { _ in })
    XCTAssertTrue(readers.add(3) { _ in }, "It can't wait until 5.")
    let shared = try XCTUnwrap(readers.take())
    XCTAssertEqual(shared.deadline, 3)
    XCTAssertEqual(shared.readers.map(\.deadline), [5, 9, 3])
    XCTAssertEqual(readers.fail(shared.readers, at: 4, after: 3).map(\.deadline), [3])
    let rest = try XCTUnwrap(readers.take())
    XCTAssertEqual(rest.deadline, 5)
    XCTAssertEqual(rest.readers.map(\.deadline), [5, 9])
    XCTAssertEqual(
      readers.fail(rest.readers, at: 4, after: 5).count, 2, "The request hasn't timed out.")
    XCTAssertNil(readers.take())
    XCTAssertTrue(readers.add(1) { _ in }, "No request is in flight any longer.")
  }
}
