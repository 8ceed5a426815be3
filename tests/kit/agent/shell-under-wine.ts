/** The shell for terminals under Wine, whose `cmd.exe` ends at once unless its input and output are those of the console. */
export const shellUnderWine = 'cmd.exe /c "cmd.exe <CON >CON 2>&1"';
