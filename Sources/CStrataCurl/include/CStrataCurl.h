// The parts of libcurl and epoll that Swift can't call directly.
//
// The program loads libcurl at run time. This file declares the types that the program needs, so
// the build doesn't need the headers of libcurl. All functions in this file are
// inline, so a program that imports this module doesn't have to link any library.

#ifndef STRATA_CURL_H
#define STRATA_CURL_H

#if defined(__linux__)

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

// The type of libcurl's variadic functions. The type matches the signatures of curl_easy_setopt,
// curl_multi_setopt, and curl_easy_getinfo, except that libcurl uses enumerations instead of int.
typedef int (*strata_variadic)(void *handle, int option, ...);

static inline int strata_set_long(void *function, void *handle, int option, long value) {
  return ((strata_variadic)function)(handle, option, value);
}

static inline int strata_set_offset(void *function, void *handle, int option, int64_t value) {
  return ((strata_variadic)function)(handle, option, value);
}

static inline int strata_set_pointer(
    void *function, void *handle, int option, const void *value) {
  return ((strata_variadic)function)(handle, option, value);
}

// Calls curl_global_init at the given address, with the argument CURL_GLOBAL_DEFAULT.
static inline int strata_global_init(void *function) { return ((int (*)(long))function)(3); }

// CURLMsg.
typedef struct {
  int kind;
  void *handle;
  union {
    void *pointer;
    int code;
  } result;
} strata_message;

// The first fields of curl_version_info_data. Later versions of libcurl only append fields to this
// struct.
typedef struct {
  int age;
  const char *version;
  unsigned int number;
  const char *host;
  int features;
} strata_curl_version;

typedef struct {
  int descriptor;
  int is_readable;
  int is_writable;
  int has_failed;
} strata_event;

static inline int strata_epoll_open(void) { return epoll_create1(EPOLL_CLOEXEC); }

// Opens an eventfd that is readable from the start.
static inline int strata_eventfd_open(void) { return eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK); }

// Starts watching a descriptor, or changes the events to watch. If reads and writes are both zero,
// stops watching the descriptor.
static inline int strata_epoll_watch(int epoll, int descriptor, int reads, int writes) {
  struct epoll_event event = {0};
  event.data.fd = descriptor;
  if (!reads && !writes) return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &event);
  event.events = (reads ? EPOLLIN : 0) | (writes ? EPOLLOUT : 0);
  if (epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event) == 0) return 0;
  return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

// Waits until events occur or the timeout ends, and reports at most 64 events. If a signal
// interrupts the wait, returns zero.
static inline int strata_epoll_wait(int epoll, strata_event *events, int timeout) {
  struct epoll_event ready[64];
  int count = epoll_wait(epoll, ready, 64, timeout);
  for (int index = 0; index < count; index++) {
    uint32_t bits = ready[index].events;
    events[index].descriptor = ready[index].data.fd;
    events[index].is_readable = (bits & (EPOLLIN | EPOLLHUP)) != 0;
    events[index].is_writable = (bits & EPOLLOUT) != 0;
    events[index].has_failed = (bits & EPOLLERR) != 0;
  }
  return count < 0 ? 0 : count;
}

// Blocks every signal for the calling thread, and stores the earlier mask unless `before` is null.
// OpenSSL writes without MSG_NOSIGNAL, so an unblocked SIGPIPE could end the process. Threads that
// libcurl starts inherit the mask.
static inline void strata_block_signals(sigset_t *before) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, before);
}

// Restores the mask of the calling thread, and drops a SIGPIPE that the thread has caused since by
// writing with OpenSSL.
static inline void strata_restore_signals(const sigset_t *before) {
  sigset_t waiting, pipe;
  if (!sigismember(before, SIGPIPE) && sigpending(&waiting) == 0
      && sigismember(&waiting, SIGPIPE)) {
    struct timespec none = {0, 0};
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    sigtimedwait(&pipe, NULL, &none);
  }
  pthread_sigmask(SIG_SETMASK, before, NULL);
}

#endif
#endif
