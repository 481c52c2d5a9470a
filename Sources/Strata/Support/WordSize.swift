// The tables of the memory level, and moments in nanoseconds, take a word of 64 bits.
#if _pointerBitWidth(_32)
  #error("Strata needs a platform of 64 bits; on watchOS build for arm64, not for arm64_32.")
#endif
