import Foundation
import StrataNetwork

/// A request field that selects a stored response. Its name is in lower case, and its value is
/// `nil` if the request doesn't have the field.
///
/// In the store, a keyed digest replaces the value, because the value can be a password or a token.
/// It uses a random key, which is part of the list that the digests belong to. So the key exists
/// exactly as long as they do, and equal values at two URLs have different digests.
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

/// The fields that select each of several stored responses, from the newest response to the oldest.
struct SelectingList: Equatable {
  /// The maximum number of responses in a list. When it's full, the oldest response is removed
  /// first.
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

  /// Returns the newest member that selects a request, and the same fields with their values.
  /// Because values can be long, it computes at most one digest for each name.
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
  /// `nil` if the list didn't change.
  mutating func promote(_ member: [SelectingField]) -> [[SelectingField]]? {
    guard members.first != member else { return nil }
    members = [member] + members.filter { $0 != member }
    defer { members = Array(members.prefix(Self.maximum)) }
    return Array(members.dropFirst(Self.maximum))
  }
}
