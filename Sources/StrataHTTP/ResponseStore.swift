import Foundation
import Strata

/// Stores the responses of an HTTP cache in any cache of bytes.
///
/// A response without `Vary` is stored under its URL. Each variant of a response with `Vary` is
/// stored under a separate name. If a URL has variants, the URL's record lists the request fields
/// that select each variant. The store writes a variant before it adds the variant to the URL's
/// list of variants.
final class ResponseStore: Sendable {
  /// The maximum number of variants that the store keeps for a URL. The store removes the oldest
  /// variant first.
  static let maximumVariants = 32

  private let cache: Cache<String, Data>
  private let order = OperationOrder(.level)

  init(_ cache: Cache<String, Data>) { self.cache = cache }

  /// The result of a search.
  enum Finding: Sendable {
    /// A response that matches the request.
    case match(StoredResponse)
    /// The store has a record for the URL, but no response that matches the request.
    case otherVariants
    /// The store has no readable record for the URL.
    case nothing

    var response: StoredResponse? {
      guard case .match(let stored) = self else { return nil }
      return stored
    }
  }

  /// Finds the newest response that matches the fields of a request.
  func find(_ key: String, for fields: HTTPFields) -> Promise<Finding> {
    order.read(OperationOrder.hash(key)) { [self] in
      record(key).flatMap { [self] record in
        switch record {
        case nil: return Promise(.nothing)
        case .response(let stored):
          return Promise(Vary.matches(stored, fields) ? .match(stored) : .otherVariants)
        case .variants(let variants): return find(key, among: variants, for: fields)
        }
      }
    }
  }

  private func find(
    _ key: String, among variants: [[SelectingField]], for fields: HTTPFields
  ) -> Promise<Finding> {
    let selected = variants.first { variant in
      variant.allSatisfy { Vary.value(of: $0.name, in: fields) == $0.value }
    }
    guard let selected else { return Promise(.otherVariants) }
    return record(StoreKey.variant(key, selected)).map { record in
      guard case .response(let stored) = record, stored.selecting == selected,
        Vary.matches(stored, fields)
      else { return .otherVariants }
      return .match(stored)
    }
  }

  /// Stores a response. If the write fails, the store removes the response that the write would
  /// have replaced.
  @discardableResult
  func put(_ stored: StoredResponse, under key: String) -> Promise<Void> {
    guard !stored.selecting.isEmpty else {
      return order.write(OperationOrder.hash(key)) { self.write(stored, key) }
    }
    return order.write(OperationOrder.hash(key)) { [self] in
      write(stored, StoreKey.variant(key, stored.selecting)).flatMap { [self] in
        record(key).flatMap { [self] in list(stored.selecting, in: $0, under: key) }
      }
    }
  }

  /// Removes one response, but not the other variants of its URL.
  @discardableResult
  func remove(_ stored: StoredResponse, under key: String) -> Promise<Void> {
    let name = stored.selecting.isEmpty ? key : StoreKey.variant(key, stored.selecting)
    return order.write(OperationOrder.hash(key)) { self.cache.remove(name) }
  }

  /// Removes every response of a URL.
  @discardableResult
  func removeAll(under key: String) -> Promise<Void> {
    order.write(OperationOrder.hash(key)) { [self] in
      record(key).flatMap { [self] record in
        guard case .variants(let variants) = record else { return cache.remove(key) }
        return cache.remove(key).flatMap { [self] in
          Promise.all(variants.map { cache.remove(StoreKey.variant(key, $0)) }).map { _ in }
        }
      }
    }
  }

  /// Removes all values from the store.
  func clear() -> Promise<Void> { cache.clear() }

  /// Sends a memory warning to the cache that stores the responses.
  func memoryWarning() { cache.memoryWarning() }

  /// The plan of the cache that stores the responses.
  var plan: CachePlan { cache.plan }

  private func list(
    _ selecting: [SelectingField], in record: StoreRecord?, under key: String
  ) -> Promise<Void> {
    var variants: [[SelectingField]] = []
    if case .variants(let known) = record { variants = known }
    guard variants.first != selecting else { return Promise() }
    variants = [selecting] + variants.filter { $0 != selecting }
    let removed = variants.dropFirst(Self.maximumVariants)
    for variant in removed { _ = cache.remove(StoreKey.variant(key, variant)) }
    let list = StoreRecord.variants(Array(variants.prefix(Self.maximumVariants)))
    return cache.set(key, list.data)
  }

  private func write(_ stored: StoredResponse, _ name: String) -> Promise<Void> {
    let cache = cache
    return cache.set(name, StoreRecord.response(stored).data).recover { error in
      cache.remove(name).flatMap { Promise(error: error) }
    }
  }

  /// Returns a record, or `nil` if there is no readable record. A failure of the store counts as a
  /// miss.
  private func record(_ name: String) -> Promise<StoreRecord?> {
    cache.get(name).map { StoreRecord($0) }.recover { _ in nil }
  }
}
