/** Starts a program on a pseudo-console (ConPTY). */
import { NotPossible } from '../../platform.ts';
import { wideText } from '../api/wide-text.ts';
import type { Handle, WindowsApi } from '../api/windows-api.ts';

export interface PseudoConsole {
  /** Undefined while the program runs. */
  exitCode(): number | undefined;
  resize(columns: number, rows: number): void;
  /** Ends the program, and closes its output once everything was read. */
  close(): Promise<void>;
}

export interface ConsoleProgram {
  commandLine: string;
  folder: string;
  environment: Record<string, string>;
  columns: number;
  rows: number;
}

const stillActive = 259;
const pseudoConsoleAttribute = 0x2_0016;
const creation = { unicodeEnvironment: 0x400, extendedStartup: 0x8_0000 } as const;
/** Offsets in STARTUPINFOEXW. Without its flag the program would use the agent's own input and output. */
const startup = { bytes: 112, flags: 60, attributes: 104, usesHandles: 0x100 } as const;
/** Offsets in PROCESS_INFORMATION. */
const information = { bytes: 24, process: 0, thread: 8 } as const;

/** A size is passed as one number, with the rows in the upper half. */
const sizeOf = (columns: number, rows: number): number => ((rows & 0x7fff) << 16) | (columns & 0x7fff);

export function startOnPseudoConsole(
  api: WindowsApi,
  program: ConsoleProgram,
  pipes: { input: Handle; output: Handle },
): PseudoConsole {
  const created = Buffer.alloc(8);
  const { columns, rows } = program;
  if (api.CreatePseudoConsole(sizeOf(columns, rows), pipes.input, pipes.output, 0, created) !== 0)
    throw new NotPossible('Windows cannot open a terminal on this device.');
  const console = created.readBigUInt64LE();
  const handle = startProgram(api, console, program);
  if (handle === undefined) {
    void api.ClosePseudoConsole.async(console);
    throw new NotPossible('Windows could not start the shell.');
  }
  let isOpen = true;
  const exitCode = (): number | undefined => {
    const code = Buffer.alloc(4);
    api.GetExitCodeProcess(handle, code);
    return code.readUInt32LE() === stillActive ? undefined : code.readUInt32LE();
  };
  return {
    exitCode,
    resize: (wide, high) => void (isOpen && api.ResizePseudoConsole(console, sizeOf(wide, high))),
    async close() {
      if (!isOpen) return;
      isOpen = false;
      // Waits until the output was read, so it must not block this thread.
      await api.ClosePseudoConsole.async(console);
      if (exitCode() === undefined) api.TerminateProcess(handle, 1);
      api.CloseHandle(handle);
    },
  };
}

/** Returns the handle of the process. */
function startProgram(
  api: WindowsApi,
  console: bigint,
  { commandLine, folder, environment }: ConsoleProgram,
): bigint | undefined {
  const size = Buffer.alloc(8);
  api.InitializeProcThreadAttributeList(null, 1, 0, size);
  const attributes = Buffer.alloc(Number(size.readBigUInt64LE()));
  api.InitializeProcThreadAttributeList(attributes, 1, 0, size);
  api.UpdateProcThreadAttribute(attributes, 0, pseudoConsoleAttribute, console, 8, null, null);
  const start = Buffer.alloc(startup.bytes);
  start.writeUInt32LE(startup.bytes);
  start.writeUInt32LE(startup.usesHandles, startup.flags);
  start.writeBigUInt64LE(api.koffi.address(attributes), startup.attributes);
  const about = Buffer.alloc(information.bytes);
  const flags = creation.unicodeEnvironment | creation.extendedStartup;
  const variables = environmentBlock(environment);
  const line = wideText(commandLine);
  const isStarted = api.CreateProcessW(null, line, null, null, 0, flags, variables, folder, start, about);
  api.DeleteProcThreadAttributeList(attributes);
  if (!isStarted) return undefined;
  api.CloseHandle(about.readBigUInt64LE(information.thread));
  return about.readBigUInt64LE(information.process);
}

/** Names in alphabetical order, each with its value and a NUL, and another NUL at the end. */
function environmentBlock(environment: Record<string, string>): Buffer {
  const entries = Object.entries(environment).toSorted(([one], [other]) =>
    one.toUpperCase() < other.toUpperCase() ? -1 : 1,
  );
  return wideText(entries.map(([name, value]) => `${name}=${value}\0`).join(''));
}
