// Injects faults into system calls on the files in one directory. Some calls fail, and other calls
// transfer fewer bytes than requested. At some calls, this library stops or kills the process. The
// attack preloads this library.
//
// These environment variables configure the faults:
//
// HOSTILE_DIRECTORY  The directory whose files are affected. Calls on other files work normally.
// HOSTILE_COUNTS     A file with 64-bit counters of calls, faults, stops, and kills.
// HOSTILE_SEED       The seed of the random choices.
// HOSTILE_FAULTS     The number of calls per million that fail.
// HOSTILE_STOPS      The number of calls per million that stop the process.
// HOSTILE_KILLS      The number of calls per million that kill the process.
// HOSTILE_TEARS      The number of writes per million that are cut short by the death of the process.
// HOSTILE_NTH        The number of the only call that fails.
// HOSTILE_CODE       The error code of the call HOSTILE_NTH. The code 0 means that the call
//                    transfers fewer bytes instead of failing.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { CALLS, FAULTS, STOPS, KILLS, COUNTERS };

static const char *directory;
static _Atomic uint64_t *counters, state, own_calls;
static uint64_t fault_rate, stop_rate, kill_rate, tear_rate, nth;
static int nth_code;
static _Thread_local int shorten;
static _Atomic char watched[65536];

static uint64_t number(const char *name) {
  const char *text = getenv(name);
  return text ? strtoull(text, 0, 10) : 0;
}

__attribute__((constructor)) static void begin(void) {
  directory = getenv("HOSTILE_DIRECTORY");
  const char *path = getenv("HOSTILE_COUNTS");
  if (!directory || !path) return;
  int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
  int file = real(path, O_RDWR);
  void *map = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (file < 0 || map == MAP_FAILED) abort();
  counters = map;
  state = number("HOSTILE_SEED") * 0x9e3779b97f4a7c15u + 1;
  fault_rate = number("HOSTILE_FAULTS");
  stop_rate = number("HOSTILE_STOPS");
  kill_rate = number("HOSTILE_KILLS");
  tear_rate = number("HOSTILE_TEARS");
  nth = number("HOSTILE_NTH");
  nth_code = (int)number("HOSTILE_CODE");
}

static uint64_t draw(void) {
  uint64_t x = atomic_fetch_add(&state, 0x9e3779b97f4a7c15u);
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

static int chance(uint64_t rate) { return rate && draw() % 1000000 < rate; }

static void halt(void) {
  if (chance(stop_rate)) {
    counters[STOPS]++;
    raise(SIGSTOP);
  }
  if (chance(kill_rate)) {
    counters[KILLS]++;
    raise(SIGKILL);
  }
}

// Returns 1 and sets errno if the call must fail, and returns 0 otherwise. The parameter
// may_interrupt is 1 for calls that Strata repeats after EINTR. Only such a call can get EINTR.
static int fails(int may_interrupt) {
  counters[CALLS]++;
  halt();
  static const int codes[] = {EIO, ENOSPC, EDQUOT, EMFILE, ENFILE, EINTR};
  shorten = 0;
  if (nth) {
    if (++own_calls != nth || (nth_code == EINTR && !may_interrupt)) return 0;
    if (!nth_code) return shorten = 1, 0;
    errno = nth_code;
  } else {
    if (!chance(fault_rate)) return 0;
    errno = codes[draw() % (may_interrupt ? 6 : 5)];
  }
  counters[FAULTS]++;
  return 1;
}

static int ours(int file) { return counters && file >= 0 && file < 65536 && watched[file]; }

static int ours_at(int file, const char *path) {
  if (!counters) return 0;
  return path[0] == '/' ? !strncmp(path, directory, strlen(directory)) : ours(file);
}

#define REAL(type, name, ...) \
  static type (*real)(__VA_ARGS__); \
  if (!real) real = dlsym(RTLD_NEXT, #name)

int openat(int at, const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = va_arg(list, mode_t);
  va_end(list);
  REAL(int, openat, int, const char *, int, ...);
  int is_ours = ours_at(at, path);
  if (is_ours && fails(1)) return -1;
  int file = real(at, path, flags, mode);
  if (file >= 0 && file < 65536) watched[file] = is_ours;
  if (is_ours) halt();
  return file;
}

int close(int file) {
  REAL(int, close, int);
  int is_ours = ours(file);
  if (is_ours) watched[file] = 0;
  int result = real(file);
  if (is_ours && fails(1)) return -1;
  return result;
}

ssize_t pread(int file, void *bytes, size_t count, off_t offset) {
  REAL(ssize_t, pread, int, void *, size_t, off_t);
  if (ours(file)) {
    if (fails(1)) return -1;
    if (count > 1 && (shorten || chance(fault_rate))) count = 1 + draw() % (count - 1);
  }
  return real(file, bytes, count, offset);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  REAL(ssize_t, writev, int, const struct iovec *, int);
  if (!ours(file)) return real(file, parts, count);
  if (fails(1)) return -1;
  size_t total = 0;
  for (int i = 0; i < count; i++) total += parts[i].iov_len;
  int is_torn = chance(tear_rate);
  int is_short = total > 1 && count < 8
    && (is_torn || shorten || chance(fault_rate) || chance(kill_rate));
  struct iovec shorter[8];
  if (is_short) {
    size_t left = 1 + draw() % (total - 1);
    counters[FAULTS]++;
    for (int i = 0; i < count; i++) {
      shorter[i] = parts[i];
      if (shorter[i].iov_len > left) shorter[i].iov_len = left;
      left -= shorter[i].iov_len;
    }
  }
  ssize_t result = real(file, is_short ? shorter : parts, count);
  if (is_short && (is_torn || (kill_rate && draw() % 2))) {
    counters[KILLS]++;
    raise(SIGKILL);
  }
  halt();
  return result;
}

off_t lseek(int file, off_t offset, int whence) {
  REAL(off_t, lseek, int, off_t, int);
  if (ours(file) && fails(0)) return -1;
  return real(file, offset, whence);
}

int fstat(int file, struct stat *status) {
  REAL(int, fstat, int, struct stat *);
  if (ours(file) && fails(0)) return -1;
  return real(file, status);
}

int fstatat(int at, const char *path, struct stat *status, int flags) {
  REAL(int, fstatat, int, const char *, struct stat *, int);
  if (ours_at(at, path) && fails(0)) return -1;
  return real(at, path, status, flags);
}

int statx(int at, const char *path, int flags, unsigned mask, struct statx *status) {
  REAL(int, statx, int, const char *, int, unsigned, struct statx *);
  if (ours_at(at, path) && fails(0)) return -1;
  return real(at, path, flags, mask, status);
}

int unlinkat(int at, const char *path, int flags) {
  REAL(int, unlinkat, int, const char *, int);
  int is_ours = ours_at(at, path);
  if (is_ours && fails(0)) return -1;
  int result = real(at, path, flags);
  if (is_ours) halt();
  return result;
}

int ftruncate(int file, off_t length) {
  REAL(int, ftruncate, int, off_t);
  if (ours(file) && fails(1)) return -1;
  int result = real(file, length);
  if (ours(file)) halt();
  return result;
}

int flock(int file, int operation) {
  REAL(int, flock, int, int);
  if (ours(file) && !(operation & LOCK_UN) && fails(1)) return -1;
  int result = real(file, operation);
  if (ours(file)) halt();
  return result;
}

int mkdir(const char *path, mode_t mode) {
  REAL(int, mkdir, const char *, mode_t);
  if (ours_at(-1, path) && fails(0)) return -1;
  return real(path, mode);
}

struct dirent *readdir(DIR *stream) {
  REAL(struct dirent *, readdir, DIR *);
  if (ours(dirfd(stream)) && fails(0)) return 0;
  return real(stream);
}
