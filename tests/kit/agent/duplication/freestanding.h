/* What a compiler calls without being asked to, for a library without a C library. */
#include <stddef.h>

void *memset(void *to, int value, size_t count) {
  for (volatile char *at = to; count > 0; count--) *at++ = (char)value;
  return to;
}
void *memcpy(void *to, const void *from, size_t count) {
  volatile char *at = to;
  for (const char *source = from; count > 0; count--) *at++ = *source++;
  return to;
}
int memcmp(const void *one, const void *other, size_t count) {
  const char *at = one, *beside = other;
  for (; count > 0; count--)
    if (*at++ != *beside++) return 1;
  return 0;
}
