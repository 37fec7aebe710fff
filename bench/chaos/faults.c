/* Loaded before the C library into a process whose clock jumps, or whose disk is slow. Both figures are in the file that CHAOS names,
   so that they change while it runs. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/** By how many seconds the clock of the wall is wrong, and how many microseconds a write to the disk takes. */
struct faults {
  volatile int64_t seconds;
  volatile int64_t microseconds;
};
static struct faults none;
static struct faults *now = &none;

__attribute__((constructor)) static void begin(void) {
  const char *name = getenv("CHAOS");
  int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *there = mmap(0, sizeof none, PROT_READ, MAP_SHARED, file, 0);
  if (there != MAP_FAILED) now = there;
  close(file);
}

#define REAL(name) \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

int clock_gettime(clockid_t clock, struct timespec *at) {
  REAL(clock_gettime);
  int answer = real(clock, at);
  if (!answer && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) at->tv_sec += now->seconds;
  return answer;
}
int gettimeofday(struct timeval *restrict at, void *restrict zone) {
  REAL(gettimeofday);
  int answer = real(at, zone);
  if (!answer && at) at->tv_sec += now->seconds;
  return answer;
}
time_t time(time_t *at) {
  struct timespec there;
  clock_gettime(CLOCK_REALTIME, &there);
  if (at) *at = there.tv_sec;
  return there.tv_sec;
}
static void wait_for_disk(void) {
  if (now->microseconds) usleep(now->microseconds);
}
int fsync(int file) {
  REAL(fsync);
  wait_for_disk();
  return real(file);
}
int fdatasync(int file) {
  REAL(fdatasync);
  wait_for_disk();
  return real(file);
}
