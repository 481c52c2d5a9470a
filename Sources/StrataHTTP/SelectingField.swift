import Foundation
import StrataDisk
import StrataNetwork

/// A request field that selects a stored response. Its name is in lower case, and its value is
/// `nil` if the request doesn't have the field.
///
/// In the store, a keyed digest replaces the value, which may be a password or a token. The random
/// key is part of the list to which the digest belongs. So the key exists exactly as long as its
/// digests, and equal values at two URLs have different digests.
struct SelectingField: Sendable, Hashable {
  let name: String
  let value: String?
}

extension SelectingField {
  /// This field with a digest instead of its value.
  func hidden(by key: Data) -> SelectingField {
    let digest = value.map { value in
      Data(SHA256.keyed(Array("\(name):\(value)".utf8), by: Array(key))).base64EncodedString()
    }
    return SelectingField(name: name, value: digest)
  }
}

extension [SelectingField] {
  /// These fields with a digest instead of each value.
  func hidden(by key: Data) -> [SelectingField] { map { $0.hidden(by: key) } }
}

/// For each of several stored responses, the fields that select it. The newest response comes
/// first.
struct SelectingList: Equatable {
  /// The maximum number of responses in a list. When full, a list drops its oldest response.
  static let maximum = 32

  /// The secret with which the digests are made.
  let key: Data
  /// The fields of each response, with digests instead of their values.
  private(set) var members: [[SelectingField]]

  /// Creates an empty list with a new key.
  init() {
    key = Data((0..<32).map { _ in UInt8.random(in: .min ... .max) })
    members = []
  }

  init(key: Data, members: [[SelectingField]]) { (self.key, self.members) = (key, members) }

  /// Returns the newest member that matches a request, as a pair: with digests, and with the
  /// request's values. Values can be long, so each is hashed only once.
  func member(
    selecting request: HeaderFields
  ) -> (hidden: [SelectingField], shown: [SelectingField])? {
    var known: [String: (hidden: SelectingField, shown: SelectingField)] = [:]
    for member in members {
      let isMatch = member.allSatisfy { field in
        if let pair = known[field.name] { return pair.hidden == field }
        let shown = SelectingField(name: field.name, value: Vary.value(of: field.name, in: request))
        let hidden = shown.hidden(by: key)
        known[field.name] = (hidden, shown)
        return hidden == field
      }
      if isMatch { return (member, member.compactMap { known[$0.name]?.shown }) }
    }
    return nil
  }

  /// Moves a member to the front, or adds it there. Returns the members that no longer fit, or
  /// `nil` if the list hasn't changed.
  mutating func promote(_ member: [SelectingField]) -> [[SelectingField]]? {
    guard members.first != member else { return nil }
    members = [member] + members.filter { $0 != member }
    defer { members = Array(members.prefix(Self.maximum)) }
    return Array(members.dropFirst(Self.maximum))
  }
}
