// Foundation re-exports the C library on every platform except Android. With this import, every
// file of Strata and every program that imports Strata sees the C library. So no other file needs
// `#if canImport(Android)`.
#if canImport(Android)
  @_exported import Android
#endif
