/* What vpx.dll needs besides the functions of Windows. */
#include <stdarg.h>
#include <stddef.h>
#include <windows.h>

int __stdio_common_vsprintf(unsigned long long options, char *to, size_t size, const char *format, void *locale, va_list values);

/* The option for the behaviour of standard C: the text is always ended, and the result is its whole length. */
#define STANDARD_BEHAVIOUR 2

int vsnprintf(char *to, size_t size, const char *format, va_list values) {
  return __stdio_common_vsprintf(STANDARD_BEHAVIOUR, to, size, format, NULL, values);
}

/* The compiler calls it at the start of each program. */
void __main(void) {}

BOOL WINAPI DllMain(HINSTANCE library, DWORD reason, LPVOID reserved) {
  (void)library, (void)reason, (void)reserved;
  return TRUE;
}
