import Foundation
import StrataNetwork

extension StoredResponse {
  func write(to writer: inout RecordWriter) {
    writer.append(response.status)
    writer.append(response.requestTime)
    writer.append(response.responseTime)
    writer.append(response.url.absoluteString)
    writer.append(response.fields.count)
    for field in response.fields {
      writer.append(field.name)
      writer.append(field.value)
    }
    SelectingField.write(selecting, to: &writer)
    writer.append(range == nil ? 0 : 1)
    if let range {
      writer.append(range.first)
      writer.append(range.complete ?? -1)
      writer.append(range.asked)
    }
    writer.append(response.body)
  }

  init(_ reader: inout RecordReader) throws {
    let status = try reader.number()
    guard (200...999).contains(status) else { throw RecordReader.Malformed() }
    let (asked, arrived) = (try reader.time(), try reader.time())
    guard let url = URL(string: try reader.text(), encodingInvalidCharacters: false) else {
      throw RecordReader.Malformed()
    }
    let fields = try reader.list { reader in
      HeaderFields.Field(name: try reader.text(), value: try reader.text())
    }
    let selecting = try SelectingField.read(&reader)
    let range = try reader.number() == 1 ? try StoredRange(&reader) : nil
    let body = try reader.data()
    guard range.map({ $0.admits(length: body.count) }) ?? true else {
      throw RecordReader.Malformed()
    }
    let response = NetworkResponse(
      status: status, fields: HeaderFields(fields), body: body, url: url,
      requestTime: asked, responseTime: arrived)
    self.init(response, selecting: selecting, range: range)
  }
}

extension StoredRange {
  fileprivate init(_ reader: inout RecordReader) throws {
    let (first, complete) = (try reader.number(), try reader.number())
    self.init(
      first: first, complete: complete < 0 ? nil : complete, asked: try reader.optionalText())
  }
}

extension SelectingField {
  static func write(_ fields: [SelectingField], to writer: inout RecordWriter) {
    writer.append(fields.count)
    for field in fields {
      writer.append(field.name)
      writer.append(field.value)
    }
  }

  static func read(_ reader: inout RecordReader) throws -> [SelectingField] {
    try reader.list { reader in
      SelectingField(name: try reader.text(), value: try reader.optionalText())
    }
  }
}
