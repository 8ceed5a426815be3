/** Starts a program that inherits two ends of pipes and nothing else: with the rights of the signed-in person, or with those of the agent. */
import { NotPossible } from '../platform.ts';
import { wideText } from './api/wide-text.ts';
import type { Handle, WindowsApi } from './api/windows-api.ts';
import { homeOf } from './person/signed-in-person.ts';

export interface PipedProgram {
  commandLine: string;
  /** The token of the person; absent for a program with the rights of the agent. */
  token?: Handle;
  /** The name of the desktop on which its windows appear. */
  desktop: string;
  /** The ends of the pipes that become its standard input and output. */
  input: Handle;
  output: Handle;
}

const creation = { unicodeEnvironment: 0x400, extendedStartup: 0x8_0000, noWindow: 0x800_0000 } as const;
/** Offsets in STARTUPINFOEXW, and the flag for the handles. */
const startup = {
  bytes: 112,
  desktop: 16,
  flags: 60,
  input: 80,
  output: 88,
  attributes: 104,
  usesHandles: 0x100,
} as const;
/** Offsets in PROCESS_INFORMATION. */
const information = { bytes: 24, process: 0, thread: 8 } as const;
const inherit = 1;
const handleListAttribute = 0x2_0002;

/** Returns the handle of the process. */
export function startPipedProgram(api: WindowsApi, program: PipedProgram): bigint {
  const handles = Buffer.alloc(16);
  handles.writeBigUInt64LE(BigInt(program.input), 0);
  handles.writeBigUInt64LE(BigInt(program.output), 8);
  for (const handle of [program.input, program.output]) api.SetHandleInformation(handle, inherit, inherit);
  const attributes = handleList(api, handles);
  const desktop = wideText(`winsta0\\${program.desktop}`);
  const start = Buffer.alloc(startup.bytes);
  start.writeUInt32LE(startup.bytes);
  start.writeBigUInt64LE(api.koffi.address(desktop), startup.desktop);
  start.writeUInt32LE(startup.usesHandles, startup.flags);
  handles.copy(start, startup.input);
  start.writeBigUInt64LE(api.koffi.address(attributes), startup.attributes);
  const about = Buffer.alloc(information.bytes);
  const isStarted = createProcess(api, program, { start, about });
  const code = isStarted ? 0 : api.GetLastError();
  api.DeleteProcThreadAttributeList(attributes);
  if (!isStarted)
    throw new NotPossible(`Windows could not start a program on the desktop of the device (error ${code}).`);
  api.CloseHandle(about.readBigUInt64LE(information.thread));
  return about.readBigUInt64LE(information.process);
}

/** The list of the handles that the program inherits. `handles` must exist until the program was started. */
function handleList(api: WindowsApi, handles: Buffer): Buffer {
  const size = Buffer.alloc(8);
  api.InitializeProcThreadAttributeList(null, 1, 0, size);
  const attributes = Buffer.alloc(Number(size.readBigUInt64LE()));
  const address = api.koffi.address(handles);
  const isMade =
    api.InitializeProcThreadAttributeList(attributes, 1, 0, size) &&
    api.UpdateProcThreadAttribute(attributes, 0, handleListAttribute, address, handles.length, null, null);
  if (!isMade) throw new NotPossible('Windows could not limit what a program inherits.');
  return attributes;
}

interface Records {
  start: Buffer;
  about: Buffer;
}

const flags = creation.unicodeEnvironment | creation.extendedStartup | creation.noWindow;

function createProcess(api: WindowsApi, { token, commandLine }: PipedProgram, records: Records): boolean {
  const { start, about } = records;
  const line = wideText(commandLine);
  return token === undefined
    ? api.CreateProcessW(null, line, null, null, inherit, flags, null, null, start, about) !== 0
    : createProcessOf(api, token, line, records);
}

/** Nothing of the agent's environment is passed on, because it can hold secrets. */
function createProcessOf(api: WindowsApi, token: Handle, line: Buffer, { start, about }: Records): boolean {
  const block = Buffer.alloc(8);
  if (!api.CreateEnvironmentBlock(block, token, 0))
    throw new NotPossible('Windows does not say which environment the person at the device has.');
  const environment = block.readBigUInt64LE();
  const folder = homeOf(api, token) || null;
  const isStarted = api.CreateProcessAsUserW(
    token,
    null,
    line,
    null,
    null,
    inherit,
    flags,
    environment,
    folder,
    start,
    about,
  );
  api.DestroyEnvironmentBlock(environment);
  return isStarted !== 0;
}
