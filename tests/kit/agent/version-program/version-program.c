/* A program for Windows that prints its version, which tests write into the file. */
#include <windows.h>

__attribute__((used)) static volatile const char version[32] = "VERSION:";

void start(void) {
  DWORD length = 0, written;
  while (version[8 + length]) length += 1;
  WriteFile(GetStdHandle(STD_OUTPUT_HANDLE), (const char *)version + 8, length, &written, 0);
  ExitProcess(0);
}
