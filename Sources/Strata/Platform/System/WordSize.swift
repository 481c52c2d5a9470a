// The tables of the memory level and instants in nanoseconds need 64-bit words.
#if _pointerBitWidth(_32)
  #error("Strata needs a platform of 64 bits; on watchOS build for arm64, not for arm64_32.")
#endif
