import Strata

/// A script that the server runs atomically.
struct RedisScript: Sendable {
  let text: String
  /// The SHA-1 of the text, which identifies the script on the server.
  let digest: String

  /// Returns the record of a key, or stores a lease if there is no record of the current epoch.
  ///
  /// The keys are the key of the record, and the key of the epoch unless another server stores the
  /// epoch. The first argument is an epoch, which the script stores if this server should have an
  /// epoch and has none. The other arguments are the token of the lease, the trailer of the lease,
  /// its lifetime in milliseconds, and a record that counts as absent. Returns the epoch and the
  /// record.
  static let lease = RedisScript(
    text: """
      local epoch = KEYS[2] and redis.call('GET', KEYS[2])
      if not epoch then
        epoch = ARGV[1]
        if KEYS[2] then redis.call('SET', KEYS[2], epoch) end
      end
      local record = redis.pcall('GET', KEYS[1])
      if type(record) == 'string' and #record >= 33 and string.sub(record, -33, -26) == epoch
        and record ~= ARGV[5] then return {epoch, record} end
      record = ARGV[2] .. epoch .. ARGV[3]
      redis.call('SET', KEYS[1], record, 'PX', ARGV[4])
      return {epoch, record}
      """,
    digest: "faea77ba6b890e89dd3a722b583d1afb1cfc5ce3")

  /// Replaces a lease with a value of the same epoch, if the lease still exists.
  ///
  /// Without the key of the epoch, the script can't detect an earlier clear. The value then has the
  /// epoch from before the clear, so no get returns it.
  ///
  /// The keys are the key of the record, and the key of the epoch unless another server stores the
  /// epoch. The arguments are the token of the lease, its epoch, its trailer, the value, the
  /// trailer of the value, and the lifetime of the value in milliseconds. The lifetime is an empty
  /// string for a value without a deadline. Returns 1 if the value was stored, and 0 otherwise.
  static let fill = RedisScript(
    text: """
      if KEYS[2] and redis.call('GET', KEYS[2]) ~= ARGV[2] then return 0 end
      if redis.pcall('GET', KEYS[1]) ~= ARGV[1] .. ARGV[2] .. ARGV[3] then return 0 end
      local record = ARGV[4] .. ARGV[2] .. ARGV[5]
      if ARGV[6] == '' then redis.call('SET', KEYS[1], record)
      else redis.call('SET', KEYS[1], record, 'PX', ARGV[6]) end
      return 1
      """,
    digest: "cfc3990dea9ad73477599f57777acb8aae9ae9af")
}

extension RedisClient {
  /// Runs a script whose first key is the record. The server receives the script's text only if the
  /// script isn't loaded there.
  func run(
    _ script: RedisScript, keys: [[UInt8]], _ arguments: [[UInt8]], by deadline: Int64
  ) -> Promise<RedisReply> {
    @Sendable func request(_ command: String, _ script: String) -> [[UInt8]] {
      [Array(command.utf8), Array(script.utf8), Array("\(keys.count)".utf8)] + keys + arguments
    }
    @Sendable func send(_ request: [[UInt8]]) -> Promise<RedisReply> {
      command(request, key: keys[0], isRepeatable: true, by: deadline)
    }
    return send(request("EVALSHA", script.digest)).recover { error in
      guard case RedisError.server("NOSCRIPT", _) = error else { throw error }
      return send(request("EVAL", script.text))
    }
  }
}
