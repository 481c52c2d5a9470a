import Foundation
import StrataDisk
import StrataNetwork

/// One download of a URL into its partial file, and then into the file of its value. The download
/// blocks its thread.
final class Download: Sendable {
  static let queue = DispatchQueue(label: "strata.downloads", attributes: .concurrent)

  private struct State {
    var isCancelled = false
    var stop: (@Sendable () -> Void)?
  }

  private let url: URL
  private let name: String
  private let directory: FileDirectory
  private let responses: Cache<URLRequest, NetworkResponse>
  private let timeout: Duration
  private let clock: TimeSource
  /// The value's file when the get was called.
  private let earlier: [UInt64]?
  private let state = Lock(State())

  init(
    _ url: URL, into directory: FileDirectory, from responses: Cache<URLRequest, NetworkResponse>,
    timeout: Duration, clock: TimeSource
  ) {
    (self.url, self.directory, self.responses) = (url, directory, responses)
    (name, self.timeout, self.clock) = (FileDirectory.name(of: url), timeout, clock)
    earlier = directory.identity(of: name)
  }

  func cancel() {
    let stop = state.withLock { state in
      state.isCancelled = true
      return state.stop.take()
    }
    stop?()
  }

  /// Downloads the rest of the body, and returns the file.
  func run() throws -> URL {
    guard let partial = try turn() else { throw CancellationError() }
    if directory.identity(of: name) != earlier, let file = directory.find(name) {
      partial.discard()  // Another download has written the value since this one was called.
      return file
    }
    do {
      let response = try begin(partial)
      try receive(response, into: partial)
      return try partial.finish()
    } catch {
      error.isMiss ? partial.discard() : partial.keep()
      throw error
    }
  }

  /// Waits until no other download of the URL runs, in any process. Returns `nil` if this one is
  /// cancelled.
  private func turn() throws -> PartialFile? {
    while !state.withLock({ $0.isCancelled }) {
      if let partial = try PartialFile(name, in: directory) { return partial }
      usleep(10_000)
    }
    return nil
  }

  /// Requests the missing bytes, and prepares the partial file for the body of the response.
  private func begin(_ partial: PartialFile) throws -> NetworkResponse {
    var response = try self.response(after: partial)
    let isContinued = partial.length > 0 && response.continues(partial)
    if !isContinued, [206, 416].contains(response.status), partial.length > 0 {
      response.rest?.cancel()
      try partial.restart(nil)
      response = try self.response(after: partial)
    }
    if isContinued { return response }
    guard response.status == 200 else {
      response.rest?.cancel()
      response.rest = nil
      throw NetworkError(.status(response.status), url: url, response: response)
    }
    let note = response.downloadNote
    if let note, note.total > directory.capacity {
      partial.discard()
      throw NetworkError(.tooLarge(maximum: directory.capacity), url: url)
    }
    try partial.restart(note)
    return response
  }

  private func response(after partial: PartialFile) throws -> NetworkResponse {
    var request = URLRequest(url: url)
    request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    if let note = partial.note, partial.length > 0 {
      request.setValue("bytes=\(partial.length)-", forHTTPHeaderField: "Range")
      request.setValue(note.validator, forHTTPHeaderField: "If-Range")
    }
    let answer = responses.get(request)
    try stopping { answer.cancel() }
    return try answer.wait()
  }

  /// Stores a closure, which `cancel()` calls to stop the current step.
  private func stopping(_ stop: @escaping @Sendable () -> Void) throws {
    let isCancelled = state.withLock { state in
      state.stop = stop
      return state.isCancelled
    }
    guard isCancelled else { return }
    stop()
    throw CancellationError()
  }

  private func receive(_ response: NetworkResponse, into partial: PartialFile) throws {
    if let rest = response.rest {
      try stopping { rest.cancel() }
      try receive(rest, into: partial)
    } else {
      try append(response.body, to: partial)
    }
    if let total = partial.note?.total, partial.length < total {
      throw NetworkError(
        .incompleteBody(received: partial.length, announced: total), url: url)
    }
  }

  private func receive(_ rest: BodyStream, into partial: PartialFile) throws {
    var last = clock.now()
    while true {
      switch rest.next(within: .milliseconds(200)) {
      case .piece(let bytes):
        last = clock.now()
        do { try append(bytes, to: partial) } catch {
          rest.cancel()
          throw error
        }
      case .end: return
      case .failure(let error): throw NetworkError(error.reason, url: url)
      case .nothing:
        guard last.advanced(by: timeout) <= clock.now() else { continue }
        rest.cancel()
        throw NetworkError(.deadlinePassed(timeout), url: url)
      }
    }
  }

  private func append(_ bytes: Data, to partial: PartialFile) throws {
    let room = (partial.note?.total ?? directory.capacity) - partial.length
    guard bytes.count <= room else {
      let reason: NetworkError.Reason =
        partial.note == nil
        ? .tooLarge(maximum: directory.capacity)
        : .malformedResponse("its body is longer than the origin has announced")
      partial.discard()
      throw NetworkError(reason, url: url)
    }
    try partial.append(bytes)
  }
}

extension NetworkResponse {
  /// The note that identifies the version of this complete response. Without a strong validator
  /// (RFC 9110, section 8.8.1) or a length, it's `nil`, because a later request couldn't continue
  /// the download.
  ///
  /// It's also `nil` if a level has decoded the body, because such a level removes `Content-Length`.
  var downloadNote: PartialFile.Note? {
    guard let validator = strongValidator, validator.utf8.count <= 1024,
      validator.utf8.allSatisfy({ (32...126).contains($0) }),
      fields["Content-Encoding"] == nil,
      !HTTPSyntax.equal(fields["Accept-Ranges"] ?? "", "none"),
      let length = fields["Content-Length"].flatMap({ ByteRange.position($0) }),
      0 < length, length < ByteRange.greatest
    else { return nil }
    return PartialFile.Note(validator: validator, total: length)
  }

  /// Whether this response has exactly the missing bytes of a partial file (RFC 9110, sections
  /// 13.1.5 and 15.3.7).
  func continues(_ partial: PartialFile) -> Bool {
    guard status == 206, fields["Content-Encoding"] == nil, let note = partial.note,
      let range = StoredRange(fields, length: note.total - partial.length),
      range.first == partial.length, range.complete == note.total
    else { return false }
    if EntityTag.isTag(note.validator) {
      return EntityTag.matchesStrongly(note.validator, entityTag)
    }
    return lastModified.map { HTTPSyntax.same($0, note.validator) } ?? true
  }

  /// A validator for `If-Range`: a strong entity tag or, if there is no tag, a strong date (RFC
  /// 9110, section 13.1.5).
  private var strongValidator: String? {
    if fields.contains("ETag") { return entityTag.flatMap { EntityTag.isStrong($0) ? $0 : nil } }
    guard let modified = time(of: "Last-Modified"), date.components.seconds > modified,
      fields.contains("Date")
    else { return nil }
    return lastModified
  }
}
