// Foundation exports the C library of each platform except Android's. This import makes it known to
// every file of the library and to its users, so no other file needs the condition.
#if canImport(Android)
  @_exported import Android
#endif
