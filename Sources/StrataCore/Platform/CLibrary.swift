// Foundation re-exports the C library on every platform except Android. This import makes the C
// library visible to every file of Strata and to programs that import Strata. No other file needs
// `#if canImport(Android)`.
#if canImport(Android)
  @_exported import Android
#endif
