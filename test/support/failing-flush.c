// Preloaded into a service: while the file named by FAILING_FLUSH exists, every flush to the disk fails.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static int fails(void) {
  const char *flag = getenv("FAILING_FLUSH");
  return flag != NULL && access(flag, F_OK) == 0;
}

static int flush(const char *name, int file) {
  if (fails()) {
    errno = EIO;
    return -1;
  }
  int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  return next(file);
}

int fsync(int file) { return flush("fsync", file); }

int fdatasync(int file) { return flush("fdatasync", file); }
