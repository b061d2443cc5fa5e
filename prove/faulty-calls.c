// Preloaded into a program: one of its calls that change a file fails, or the program is killed at it. Which one, and how, is in the file
// that FAULTY_CALLS names: all processes that share it count together, and it can be changed while they run.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { COUNT, FAIL_ONCE, FAIL_FROM_HERE, KILL_BEFORE, KILL_AFTER, KILL_HALFWAY };

/* As written by faulty-calls.ts. */
struct order {
  int64_t calls;  /* so far */
  int64_t chosen; /* the number of the call, from 1; 0 for none */
  int64_t action;
  int64_t error; /* errno */
  int64_t hits;
  int64_t kinds; /* a bit for each kind of call that counts */
};

enum { WRITE = 1, FLUSH = 2, SHAPE = 4, READ = 8 };

static struct order *order;
static char under[PATH_MAX];
static size_t under_length;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("FAULTY_CALLS");
  const char *directory = getenv("FAULTY_CALLS_UNDER");
  if (path == NULL || directory == NULL || strlen(directory) >= sizeof under) return;
  int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void *mapped = mmap(NULL, sizeof *order, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (mapped == MAP_FAILED) return;
  strcpy(under, directory);
  under_length = strlen(under);
  order = mapped;
}

static int is_under(const char *path) {
  return strncmp(path, under, under_length) == 0;
}

static int concerns(int file) {
  char link[64], path[PATH_MAX];
  char *end = link + strlen(strcpy(link, "/proc/self/fd/"));
  char digits[16];
  int count = 0;
  if (file < 0) return 0;
  do digits[count++] = (char)('0' + file % 10);
  while ((file /= 10) > 0);
  while (count > 0) *end++ = digits[--count];
  *end = 0;
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return is_under(path);
}

static void end_at_once(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

/* What to do with a call that concerns us: COUNT to carry it out. */
static int decide(int kind) {
  if ((order->kinds & kind) == 0) return COUNT;
  int64_t number = __atomic_add_fetch(&order->calls, 1, __ATOMIC_SEQ_CST);
  int64_t chosen = order->chosen;
  int action = (int)order->action;
  if (chosen == 0 || !(number == chosen || (action == FAIL_FROM_HERE && number > chosen))) return COUNT;
  __atomic_add_fetch(&order->hits, 1, __ATOMIC_SEQ_CST);
  if (action == KILL_BEFORE) end_at_once();
  return action;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* Carries out a call on an open file, or not. `half` does half of it. */
#define ON_FILE(kind, file, call, half)                                  \
  int is_ours = order != NULL && concerns(file);                         \
  int action = is_ours ? decide(kind) : COUNT;                           \
  if (action == FAIL_ONCE || action == FAIL_FROM_HERE) {                 \
    errno = (int)order->error;                                           \
    return -1;                                                           \
  }                                                                      \
  if (action == KILL_HALFWAY) {                                          \
    half;                                                                \
    end_at_once();                                                       \
  }                                                                      \
  __typeof__(call) result = call;                                        \
  if (action == KILL_AFTER) end_at_once();                               \
  return result

ssize_t write(int file, const void *bytes, size_t count) {
  ON_FILE(WRITE, file, NEXT(write)(file, bytes, count), NEXT(write)(file, bytes, count / 2));
}
ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) {
  ON_FILE(WRITE, file, NEXT(pwrite)(file, bytes, count, at), NEXT(pwrite)(file, bytes, count / 2, at));
}
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) {
  ON_FILE(WRITE, file, NEXT(pwrite64)(file, bytes, count, at), NEXT(pwrite64)(file, bytes, count / 2, at));
}
ssize_t pwritev(int file, const struct iovec *parts, int count, off_t at) {
  ON_FILE(WRITE, file, NEXT(pwritev)(file, parts, count, at), NEXT(pwrite)(file, parts->iov_base, parts->iov_len / 2, at));
}
ssize_t pwritev64(int file, const struct iovec *parts, int count, off64_t at) {
  ON_FILE(WRITE, file, NEXT(pwritev64)(file, parts, count, at), NEXT(pwrite64)(file, parts->iov_base, parts->iov_len / 2, at));
}
int fsync(int file) { ON_FILE(FLUSH, file, NEXT(fsync)(file), (void)0); }
int fdatasync(int file) { ON_FILE(FLUSH, file, NEXT(fdatasync)(file), (void)0); }
int ftruncate(int file, off_t length) { ON_FILE(SHAPE, file, NEXT(ftruncate)(file, length), (void)0); }
int ftruncate64(int file, off64_t length) { ON_FILE(SHAPE, file, NEXT(ftruncate64)(file, length), (void)0); }
int fallocate(int file, int mode, off_t at, off_t length) {
  ON_FILE(SHAPE, file, NEXT(fallocate)(file, mode, at, length), (void)0);
}
ssize_t pread(int file, void *bytes, size_t count, off_t at) {
  ON_FILE(READ, file, NEXT(pread)(file, bytes, count, at), (void)0);
}
ssize_t pread64(int file, void *bytes, size_t count, off64_t at) {
  ON_FILE(READ, file, NEXT(pread64)(file, bytes, count, at), (void)0);
}
