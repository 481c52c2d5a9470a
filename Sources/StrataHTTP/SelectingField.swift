import Foundation
import Strata

/// A request field that selects a stored response. The name is in lower case. The value is `nil` if
/// the request doesn't have the field.
///
/// In the store, a keyed digest replaces the value, because the value can be a password or a token.
/// The key is random, and is part of the list that the digests belong to. Therefore the key exists
/// exactly as long as the digests do, and equal values at two URLs have different digests.
struct SelectingField: Sendable, Hashable {
  let name: String
  let value: String?
}

extension [SelectingField] {

  /// These fields with a digest instead of each value.
  func hidden(by key: Data) -> [SelectingField] {
    map { field in
      let digest = field.value.map { value in
        Data(SHA256.keyed("\(field.name):\(value)".utf8.map { $0 }, by: key.map { $0 }))
          .base64EncodedString()
      }
      return SelectingField(name: field.name, value: digest)
    }
  }

  /// These fields with the values of a request, or `nil` if the fields don't select the request.
  /// The values of these fields are digests.
  func shown(by request: HTTPFields, key: Data) -> [SelectingField]? {
    let shown = map {
      SelectingField(name: $0.name, value: Vary.value(of: $0.name, in: request))
    }
    return shown.hidden(by: key) == self ? shown : nil
  }
}

/// The fields that select each of several stored responses, from the newest response to the oldest.
struct SelectingList: Equatable {
  /// The maximum number of responses in a list. The oldest response is removed first.
  static let maximum = 32

  /// The key of the digests.
  let key: Data
  /// The fields of each response, with digests instead of their values.
  private(set) var members: [[SelectingField]]

  /// Creates an empty list with a new key.
  init() {
    key = Data((0..<32).map { _ in UInt8.random(in: .min ... .max) })
    members = []
  }

  init(key: Data, members: [[SelectingField]]) { (self.key, self.members) = (key, members) }

  /// Moves a member to the front, or adds it there. Returns the members that no longer fit, or
  /// `nil` if the list didn't change.
  mutating func promote(_ member: [SelectingField]) -> [[SelectingField]]? {
    guard members.first != member else { return nil }
    members = [member] + members.filter { $0 != member }
    defer { members = Array(members.prefix(Self.maximum)) }
    return Array(members.dropFirst(Self.maximum))
  }
}
