import Foundation
import StrataNetwork

/// A value in the store: one response with its body, or the list of a URL's variants.
///
/// Header and body are stored as one value, so a crash can't separate them.
enum StoreRecord: Equatable {
  /// A single response, which is stored under its URL or under the name of a variant.
  case response(StoredResponse)
  /// The selecting fields of a URL's variants or users.
  case variants(SelectingList)

  static let version = 2

  /// Reads a record. Returns `nil` if the record is malformed or has a different format version.
  init?(_ data: Data) {
    var reader = RecordReader(data)
    guard let record = try? Self.read(&reader), reader.isAtEnd else { return nil }
    self = record
  }

  var data: Data {
    var writer = RecordWriter(capacity: capacity)
    writer.append(Self.version)
    switch self {
    case .response(let stored):
      writer.append(0)
      stored.write(to: &writer)
    case .variants(let variants):
      writer.append(1)
      writer.append(variants.key)
      writer.append(variants.members.count)
      for fields in variants.members { SelectingField.write(fields, to: &writer) }
    }
    return writer.bytes
  }

  private var capacity: Int {
    guard case .response(let stored) = self else { return 256 }
    return stored.response.body.count + 1024
  }

  private static func read(_ reader: inout RecordReader) throws -> StoreRecord {
    guard try reader.number() == version else { throw RecordReader.Malformed() }
    switch try reader.number() {
    case 0: return .response(try StoredResponse(&reader))
    case 1:
      let key = try reader.data()
      let members = try reader.list { try SelectingField.read(&$0) }
      guard members.count <= SelectingList.maximum else { throw RecordReader.Malformed() }
      return .variants(SelectingList(key: key, members: members))
    default: throw RecordReader.Malformed()
    }
  }
}
