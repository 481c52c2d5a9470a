import Foundation
import StrataNetwork

/// Stores the responses of an HTTP cache in any cache of bytes.
///
/// A response without `Vary` is stored under its URL. With `Vary`, each variant has a name of its
/// own, and the URL's record lists the request fields that select each variant. A variant is
/// written before it's added to this list.
///
/// Each user who can be identified has a separate part of the store. Another list for the URL
/// contains these users. Shared and private caches use different names, so they don't find each
/// other's responses.
final class ResponseStore: Sendable {
  private let cache: Cache<String, Data>
  /// The same cache without an observer. Before the store writes a list, it reads the old list. It
  /// does so without an observer, because this read isn't a get of a caller.
  private let lists: Cache<String, Data>
  let isShared: Bool
  /// Orders the writes of all stores over the same values.
  private let order: KeyedQueue

  convenience init(_ cache: Cache<String, Data>, isShared: Bool = false) {
    self.init(cache, lists: cache, isShared: isShared, order: KeyedQueue())
  }

  init(
    _ cache: Cache<String, Data>, lists: Cache<String, Data>, isShared: Bool, order: KeyedQueue
  ) {
    (self.cache, self.lists, self.isShared, self.order) = (cache, lists, isShared, order)
  }

  /// Returns a store that reports its operations to `reporter`.
  func reporting(to reporter: Reporter) -> ResponseStore {
    ResponseStore(
      cache.reporting(to: reporter), lists: lists, isShared: isShared, order: order)
  }

  /// The result of a search.
  enum Finding: Sendable {
    /// A response that matches the request.
    case match(StoredResponse)
    /// The store has responses for the URL, but none that matches the request. The associated
    /// values are the names of the fields that select among the responses.
    case otherVariants(Set<String>)
    /// The store has no readable record for the URL.
    case nothing

    var response: StoredResponse? {
      guard case .match(let stored) = self else { return nil }
      return stored
    }
  }

  /// Finds the newest response that matches a request. In a shared cache, looks first among the
  /// responses of the request's user, and then among those that all users share.
  func find(_ key: String, for request: RequestHead) -> Promise<Finding> {
    order.read(KeyVersions.hash(key)) { [self] in
      place(key, request.reader, in: cache).recover { _ in nil }.flatMap { [self] place in
        guard isShared, !request.reader.isEmpty else {
          return find(in: place, for: request.fields)
        }
        return find(in: place, for: request.fields).flatMap { [self] finding in
          if case .match = finding { return Promise(finding) }
          return find(in: name(key), for: request.fields)
        }
      }
    }
  }

  private func find(in place: String?, for fields: HeaderFields) -> Promise<Finding> {
    guard let place else { return Promise(.nothing) }
    return record(place, in: cache).flatMap { [self] record in
      switch record {
      case nil: return Promise(.nothing)
      case .response(let stored):
        let isMatch = stored.selecting.isEmpty && Vary.matches(stored, fields)
        return Promise(isMatch ? .match(stored) : .otherVariants([]))
      case .variants(let list): return find(in: place, among: list, for: fields)
      }
    }
  }

  private func find(
    in place: String, among list: SelectingList, for fields: HeaderFields
  ) -> Promise<Finding> {
    let others = Finding.otherVariants(Set(list.members.joined().map(\.name)))
    guard let (hidden, shown) = list.member(selecting: fields) else { return Promise(others) }
    return record(StoreKey.variant(place, hidden), in: cache).map { record in
      guard case .response(var stored) = record, stored.selecting == hidden else { return others }
      stored.selecting = shown
      return Vary.matches(stored, fields) ? .match(stored) : others
    }
  }

  /// Stores a response. When the write of a response or of its first variant fails, removes the
  /// response that it should have replaced. Writes nothing when the list of variants can't be read,
  /// because a new list would hide all members of the old one.
  ///
  /// - Parameter reader: The fields that identify the user to whom the response belongs. The array
  ///   is empty if all users may share the response.
  @discardableResult
  func put(
    _ stored: StoredResponse, under key: String, for reader: [SelectingField] = []
  ) -> Promise<Void> {
    order.write(KeyVersions.hash(key)) { [self] in
      listed(reader, at: key).flatMap { [self] place in put(stored, in: place) }
    }
  }

  private func put(_ stored: StoredResponse, in place: String) -> Promise<Void> {
    guard !stored.selecting.isEmpty else {
      return write(StoreRecord.response(stored).data, place)
    }
    return list(place).flatMap { [self] list in
      var (list, stored) = (list ?? SelectingList(), stored)
      stored.selecting = stored.selecting.hidden(by: list.key)
      // The record may be a response without variants. Then the list replaces it.
      let isNew = list.members.isEmpty
      let removed = list.promote(stored.selecting)
      let data = StoreRecord.variants(list).data
      let variant = StoreKey.variant(place, stored.selecting)
      return write(StoreRecord.response(stored).data, variant).flatMap { [self] in
        guard let removed else { return Promise() }
        for variant in removed { _ = cache.remove(StoreKey.variant(place, variant)) }
        return isNew ? write(data, place) : cache.set(place, data)
      }
    }
  }

  /// Removes one response, but not the other variants of its URL.
  @discardableResult
  func remove(
    _ stored: StoredResponse, under key: String, for reader: [SelectingField] = []
  ) -> Promise<Void> {
    order.write(KeyVersions.hash(key)) { [self] in
      place(key, reader, in: lists).flatMap { [self] place in
        let own = place.map { remove(stored, in: $0) } ?? Promise()
        guard isShared, !reader.isEmpty else { return own }
        return own.flatMap { [self] in remove(stored, in: name(key)) }
      }
    }
  }

  private func remove(_ stored: StoredResponse, in place: String) -> Promise<Void> {
    guard !stored.selecting.isEmpty else { return cache.remove(place) }
    return list(place).flatMap { [self] list in
      guard let list else { return Promise() }
      return cache.remove(StoreKey.variant(place, stored.selecting.hidden(by: list.key)))
    }
  }

  /// Removes every response of a URL, of all users, and from shared and private caches.
  @discardableResult
  func removeAll(under key: String) -> Promise<Void> {
    order.write(KeyVersions.hash(key)) { [self] in
      let removals = [true, false].map { isShared in
        let place = StoreKey.place(key, isShared: isShared)
        let readers = StoreKey.readers(place)
        // Without the list, its members can't be found. So even a list that can't be read is
        // removed.
        return list(readers).recover { _ in SelectingList() }.flatMap { [self] list in
          let places = (list?.members ?? []).map { StoreKey.user(place, $0) }
          let all =
            ([place] + places).map { removePlace($0) }
            + (list == nil ? [] : [cache.remove(readers)])
          return Promise.all(all).map { _ in }
        }
      }
      return Promise.all(removals).map { _ in }
    }
  }

  private func removePlace(_ place: String) -> Promise<Void> {
    list(place).recover { _ in nil }.flatMap { [self] list in
      let variants = (list?.members ?? []).map { StoreKey.variant(place, $0) }
      return Promise.all(([place] + variants).map { cache.remove($0) }).map { _ in }
    }
  }

  /// Removes all values from the store.
  func clear() -> Promise<Void> { cache.clear() }

  /// Sends a memory warning to the cache that stores the responses.
  func memoryWarning() { cache.memoryWarning() }

  /// The plan of the cache that stores the responses.
  var plan: CachePlan { cache.plan }

  private func name(_ key: String) -> String { StoreKey.place(key, isShared: isShared) }

  /// Returns the name under which the responses of a user are stored, or `nil` if the store has no
  /// responses of this user.
  private func place(
    _ key: String, _ reader: [SelectingField], in cache: Cache<String, Data>
  ) -> Promise<String?> {
    let name = name(key)
    guard !reader.isEmpty else { return Promise(name) }
    return list(StoreKey.readers(name), in: cache).map { list in
      guard let list else { return nil }
      let hidden = reader.hidden(by: list.key)
      return list.members.contains(hidden) ? StoreKey.user(name, hidden) : nil
    }
  }

  /// Returns the name under which the responses of a user are stored. Adds the user to the list of
  /// the URL's users.
  private func listed(_ reader: [SelectingField], at key: String) -> Promise<String> {
    let name = name(key)
    guard !reader.isEmpty else { return Promise(name) }
    let readers = StoreKey.readers(name)
    return list(readers).flatMap { [self] list in
      var list = list ?? SelectingList()
      let hidden = reader.hidden(by: list.key)
      let place = StoreKey.user(name, hidden)
      guard let removed = list.promote(hidden) else { return Promise(place) }
      for reader in removed { _ = removePlace(StoreKey.user(name, reader)) }
      return cache.set(readers, StoreRecord.variants(list).data).map { place }
    }
  }

  private func write(_ data: Data, _ name: String) -> Promise<Void> {
    let cache = cache
    return cache.set(name, data).recover { error in
      cache.remove(name).flatMap { Promise(error: error) }
    }
  }

  private func list(_ name: String) -> Promise<SelectingList?> { list(name, in: lists) }

  /// Returns a list, or `nil` if there is no record. An unreadable record counts as an empty list.
  /// When the store fails, this function fails, too, because the list might exist.
  private func list(_ name: String, in cache: Cache<String, Data>) -> Promise<SelectingList?> {
    cache.get(name).flatMapOutcome { outcome in
      switch outcome {
      case .success(let data):
        guard case .variants(let list) = StoreRecord(data) else { return Promise(SelectingList()) }
        return Promise(list)
      case .failure(let error): return error.isAbsence ? Promise(nil) : Promise(error: error)
      case .cancelled: return Promise(outcome: .cancelled)
      }
    }
  }

  /// Returns a record, or `nil` if there is no readable one or if the store fails.
  private func record(_ name: String, in cache: Cache<String, Data>) -> Promise<StoreRecord?> {
    cache.get(name).map { StoreRecord($0) }.recover { _ in nil }
  }
}
