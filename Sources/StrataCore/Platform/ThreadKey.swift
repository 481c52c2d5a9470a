import Foundation

/// Creates a key under which each thread can store an object. The object is released when the
/// thread ends.
func makeThreadKey() -> pthread_key_t {
  var key = pthread_key_t()
  #if canImport(Darwin)
    pthread_key_create(&key) { Unmanaged<AnyObject>.fromOpaque($0).release() }
  #else
    pthread_key_create(&key) { raw in
      if let raw { Unmanaged<AnyObject>.fromOpaque(raw).release() }
    }
  #endif
  return key
}

/// Returns the address of the system's data structure for the current thread. No two running
/// threads have the same address, so the address identifies the thread.
@inlinable
@inline(__always)
func threadAddress() -> UInt {
  #if canImport(Glibc)
    UInt(pthread_self())
  #else
    UInt(bitPattern: pthread_self())
  #endif
}
