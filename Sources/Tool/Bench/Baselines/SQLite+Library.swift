import Foundation

extension SQLite {
  /// The SQLite functions that the benchmarks need, loaded at run time.
  struct Library {
    typealias Handle = OpaquePointer?
    typealias Pointer = UnsafeMutableRawPointer?
    typealias Text = UnsafePointer<CChar>
    typealias Open = @convention(c) (Text, UnsafeMutablePointer<Handle>) -> Int32
    typealias Act = @convention(c) (Handle) -> Int32
    typealias Execute = @convention(c) (Handle, Text, Pointer, Pointer, Pointer) -> Int32
    typealias Prepare =
      @convention(c) (Handle, Text, Int32, UnsafeMutablePointer<Handle>, Pointer) -> Int32
    typealias Bind = @convention(c) (Handle, Int32, UnsafeRawPointer?, Int32, Pointer) -> Int32
    typealias Bytes = @convention(c) (Handle, Int32) -> UnsafeRawPointer?
    typealias Count = @convention(c) (Handle, Int32) -> Int32

    let open: Open
    let execute: Execute
    let prepare: Prepare
    let (bindText, bindBytes): (Bind, Bind)
    let (step, reset, finalize, close): (Act, Act, Act, Act)
    let bytes: Bytes
    let count: Count

    /// Returns `nil` if the library isn't installed.
    init?() {
      let names = ["libsqlite3.so.0", "libsqlite3.so", "libsqlite3.dylib"]
      guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first else { return nil }
      func function<Function>(_ name: String) -> Function? {
        dlsym(library, "sqlite3_" + name).map { unsafeBitCast($0, to: Function.self) }
      }
      guard let open: Open = function("open"), let execute: Execute = function("exec"),
        let prepare: Prepare = function("prepare_v2"),
        let bindText: Bind = function("bind_text"), let bindBytes: Bind = function("bind_blob"),
        let step: Act = function("step"), let reset: Act = function("reset"),
        let finalize: Act = function("finalize"), let close: Act = function("close"),
        let bytes: Bytes = function("column_blob"), let count: Count = function("column_bytes")
      else { return nil }
      (self.open, self.execute, self.prepare) = (open, execute, prepare)
      (self.bindText, self.bindBytes) = (bindText, bindBytes)
      (self.step, self.reset, self.finalize, self.close) = (step, reset, finalize, close)
      (self.bytes, self.count) = (bytes, count)
    }
  }
}
