import Foundation

/// libcurl's easy interface, as a C program would use it: one handle performs one request after
/// another over one kept connection. The library is loaded at run time.
final class EasyCurl: @unchecked Sendable {  // The benchmarks run one case at a time.
  private typealias Handle = UnsafeMutableRawPointer
  // On Linux, a call without variable arguments passes these few arguments in the same registers.
  private typealias SetOption = @convention(c) (Handle, Int32, UnsafeRawPointer?) -> Int32

  private let handle: Handle
  private let performRequest: @convention(c) (Handle) -> Int32
  private let release: @convention(c) (Handle) -> Void
  private let received = UnsafeMutablePointer<Int>.allocate(capacity: 1)

  /// Returns `nil` if libcurl isn't installed.
  init?(_ url: URL) {
    guard let library = dlopen("libcurl.so.4", RTLD_NOW) else { return nil }
    func function<Function>(_ name: String) -> Function? {
      dlsym(library, "curl_easy_" + name).map { unsafeBitCast($0, to: Function.self) }
    }
    guard let create: @convention(c) () -> Handle? = function("init"),
      let set: SetOption = function("setopt"),
      let perform: @convention(c) (Handle) -> Int32 = function("perform"),
      let release: @convention(c) (Handle) -> Void = function("cleanup"), let handle = create()
    else { return nil }
    (self.handle, performRequest, self.release) = (handle, perform, release)
    received.initialize(to: 0)
    let receive: @convention(c) (UnsafeRawPointer?, Int, Int, UnsafeMutablePointer<Int>?) -> Int = {
      _, size, count, total in
      total?.pointee += size * count
      return size * count
    }
    let (urlOption, dataOption, functionOption): (Int32, Int32, Int32) = (10_002, 10_001, 20_011)
    _ = url.absoluteString.withCString { set(handle, urlOption, $0) }
    _ = set(handle, dataOption, received)
    _ = set(handle, functionOption, unsafeBitCast(receive, to: UnsafeRawPointer.self))
  }

  deinit {
    release(handle)
    received.deallocate()
  }

  /// Sends a request, and returns the number of bytes in the body, or `nil` after a failure.
  func get() -> Int? {
    received.pointee = 0
    return performRequest(handle) == 0 ? received.pointee : nil
  }
}
