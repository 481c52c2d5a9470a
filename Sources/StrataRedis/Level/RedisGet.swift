import Foundation
import StrataCore

/// A get of a value.
final class RedisGet<Value: Sendable>: RedisRequest, @unchecked Sendable {
  private let store: RedisStore
  private let format: RedisValueFormat<Value>
  /// The number of the operation that the answer ends, if any.
  private let operation: Int?
  private let continuation: Promise<Value>.Continuation

  init(
    _ store: RedisStore, _ name: [UInt8], _ deadline: Int64, _ format: RedisValueFormat<Value>,
    _ operation: Int?, _ continuation: Promise<Value>.Continuation
  ) {
    (self.store, self.format) = (store, format)
    (self.operation, self.continuation) = (operation, continuation)
    super.init(
      .get(store.epoch), name: name, isRepeatable: true, deadline: deadline, size: name.count)
  }

  override func receive(
    _ answer: Result<RedisReply, RedisFailure>, epoch: UInt64?, holding tasks: inout HeldTasks
  ) {
    format.settle(self, answer, epoch, &tasks)
  }

  func settle(
    _ answer: Result<RedisReply, RedisFailure>, _ epoch: UInt64?, _ tasks: inout HeldTasks
  ) {
    let outcome = format.outcome(of: name[...], epoch, answer)
    if case .success = outcome { store.client.witnesses.report(.found(name: name)) }
    continuation.settle(outcome, holding: &tasks)
    if let operation { store.work.end(operation) }
  }
}

/// A get of several values.
final class RedisGets<Value: Sendable>: RedisRequest, @unchecked Sendable {
  typealias Outcomes = [Promise<Value>.Outcome]

  private let store: RedisStore
  private let names: RedisNames
  private let format: RedisValueFormat<Value>
  private let continuation: Promise<Outcomes>.Continuation

  init(
    _ store: RedisStore, _ names: RedisNames, _ deadline: Int64, _ format: RedisValueFormat<Value>,
    _ continuation: Promise<Outcomes>.Continuation
  ) {
    (self.store, self.names) = (store, names)
    (self.format, self.continuation) = (format, continuation)
    super.init(
      .gets(names, store.epoch), name: Array(names[0]), isRepeatable: true, deadline: deadline,
      size: names.encoded.count + names.count * 200)
  }

  override func receive(
    _ answer: Result<RedisReply, RedisFailure>, epoch: UInt64?, holding tasks: inout HeldTasks
  ) {
    format.settleMany(self, answer, epoch, &tasks)
  }

  /// Delivers the values that have arrived, even if the rest of the request has failed.
  func settle(
    _ answer: Result<RedisReply, RedisFailure>, _ epoch: UInt64?, _ tasks: inout HeldTasks
  ) {
    let (elements, epoch) = (elements, epoch ?? elementsEpoch)
    var outcomes: Outcomes = []
    outcomes.reserveCapacity(names.count)
    for index in 0..<names.count {
      let name = names[index]
      let outcome = format.outcome(
        of: name, epoch, index < elements.count ? .success(elements[index]) : answer)
      if case .success = outcome { store.client.witnesses.report(.found(name: Array(name))) }
      outcomes.append(outcome)
    }
    continuation.settle(.success(outcomes), holding: &tasks)
  }
}

/// A write.
final class RedisWrite: RedisRequest, @unchecked Sendable {
  private let store: RedisStore
  /// The number of the operation that the answer ends, if any.
  private let operation: Int?
  private let continuation: Promise<Void>.Continuation

  init(
    _ store: RedisStore, _ form: Form, _ name: [UInt8], _ deadline: Int64, size: Int,
    _ operation: Int?, _ continuation: Promise<Void>.Continuation
  ) {
    (self.store, self.operation, self.continuation) = (store, operation, continuation)
    super.init(
      form, name: name, isRepeatable: false, deadline: deadline, size: size,
      place: store.client.journal.nextPlace())
  }

  override func receive(
    _ answer: Result<RedisReply, RedisFailure>, epoch: UInt64?, holding tasks: inout HeldTasks
  ) {
    switch answer {
    case .success:
      store.succeed(name, at: place)
      continuation.settle(.success(()), holding: &tasks)
    case .failure(let failure):
      store.fail(name, at: place)
      continuation.settle(.failure(failure.error), holding: &tasks)
    }
    if let operation { store.work.end(operation) }
  }
}

extension RedisValueFormat {
  /// Returns the value of a record, or an error if the record has no valid value.
  func outcome(
    of name: ArraySlice<UInt8>, _ epoch: UInt64?, _ answer: Result<RedisReply, RedisFailure>
  ) -> Promise<Value>.Outcome {
    switch answer {
    case .failure(let failure): return .failure(failure.error)
    case .success(let reply):
      do throws(RedisError) {
        guard case .bytes(let data) = reply, let epoch,
          let record = try RedisRecord(data, key: name, epoch: epoch), record.kind != .lease,
          let value = value(record)
        else { return .failure(plainMiss) }
        return .success(value)
      } catch { return .failure(error) }
    }
  }
}
