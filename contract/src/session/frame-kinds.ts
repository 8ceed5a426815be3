/** Every kind of frame in a session, one row each: its byte, which side sends it, and the permission it needs. */
import type { AgentPermission, SupportPermission } from '../permissions.ts';

export type Side = 'operator' | 'device';

/** What a session can be allowed to do; the rest of the permissions is about managing, not about the session. */
export type SessionPermission = Exclude<
  AgentPermission | SupportPermission,
  'quick_support_admin' | 'quick_support_technical'
>;

export interface FrameKind {
  /** The first byte of the frame, the only one the relay reads. */
  byte: number;
  from: Side | 'both';
  /** Null: part of every session. */
  permission: SessionPermission | null;
  /** The version of the session protocol that has it first. */
  since: number;
}

const define = <const Rows extends Record<string, FrameKind>>(rows: Rows): Rows => rows;

export const frameKinds = define({
  /** The device shows its grant, its key of this session and its signature. The only frame that is not sealed. */
  hello: { byte: 0x01, from: 'device', permission: null, since: 1 },
  /** The operator's first sealed frame: only the holder of the key in the grant can make it. */
  confirm: { byte: 0x02, from: 'operator', permission: null, since: 1 },
  /** Where the session stands: waiting for consent, live, or refused. */
  state: { byte: 0x03, from: 'device', permission: null, since: 1 },
  end: { byte: 0x04, from: 'both', permission: null, since: 1 },
  ping: { byte: 0x05, from: 'both', permission: null, since: 1 },
  pong: { byte: 0x06, from: 'both', permission: null, since: 1 },
  /** Who else is there, and who holds mouse and keyboard. */
  people: { byte: 0x07, from: 'device', permission: null, since: 1 },
  /** Something asked for was not done, and why. */
  refused: { byte: 0x08, from: 'device', permission: null, since: 1 },
  /** What the two sides tell each other to find a direct way. */
  direct: { byte: 0x09, from: 'both', permission: null, since: 1 },
  /** From the next frame on the sender uses its next key. */
  rekey: { byte: 0x0a, from: 'both', permission: null, since: 1 },

  /** The monitors, and the size of the picture. */
  layout: { byte: 0x10, from: 'device', permission: 'agent_connect', since: 1 },
  video: { byte: 0x11, from: 'device', permission: 'agent_connect', since: 1 },
  tiles: { byte: 0x12, from: 'device', permission: 'agent_connect', since: 1 },
  cursor: { byte: 0x13, from: 'device', permission: 'agent_connect', since: 1 },
  /** The picture with this number is on the operator's screen. */
  shown: { byte: 0x14, from: 'operator', permission: 'agent_connect', since: 1 },
  /** Which monitor, how good, or not at all for now. */
  view: { byte: 0x15, from: 'operator', permission: 'agent_connect', since: 1 },

  pointer: { byte: 0x20, from: 'operator', permission: 'agent_control', since: 1 },
  wheel: { byte: 0x21, from: 'operator', permission: 'agent_control', since: 1 },
  key: { byte: 0x22, from: 'operator', permission: 'agent_control', since: 1 },
  /** Characters without keys: from a phone's keyboard or an input method. */
  text: { byte: 0x23, from: 'operator', permission: 'agent_control', since: 1 },
  /** Takes mouse and keyboard, or hands them over. */
  drive: { byte: 0x24, from: 'operator', permission: 'agent_control', since: 1 },
  /** Asks the device for another screen size. */
  resize: { byte: 0x25, from: 'operator', permission: 'agent_control', since: 1 },

  clipboard: { byte: 0x30, from: 'both', permission: 'agent_clipboard', since: 1 },

  terminal: { byte: 0x40, from: 'both', permission: 'agent_terminal_mode', since: 1 },
  terminal_bytes: { byte: 0x41, from: 'both', permission: 'agent_terminal_mode', since: 1 },

  file: { byte: 0x50, from: 'operator', permission: 'agent_file_transfer', since: 1 },
  file_answer: { byte: 0x51, from: 'device', permission: 'agent_file_transfer', since: 1 },
  file_bytes: { byte: 0x52, from: 'both', permission: 'agent_file_transfer', since: 1 },

  chat: { byte: 0x60, from: 'both', permission: 'agent_chat', since: 1 },

  call: { byte: 0x70, from: 'both', permission: 'agent_audio_calls', since: 1 },
  voice: { byte: 0x71, from: 'both', permission: 'agent_audio_calls', since: 1 },

  lock: { byte: 0x80, from: 'operator', permission: 'agent_lock_screen', since: 1 },
  /** Blacks out the screen of the device and blocks its own mouse and keyboard. */
  shield: { byte: 0x81, from: 'operator', permission: 'agent_lock_input', since: 1 },
  reboot: { byte: 0x82, from: 'operator', permission: 'agent_reboot', since: 1 },
  software: { byte: 0x83, from: 'operator', permission: 'agent_program_list', since: 1 },
  programs: { byte: 0x84, from: 'device', permission: 'agent_program_list', since: 1 },
  /** Asks the client to install the agent for permanent access. */
  install: { byte: 0x85, from: 'operator', permission: 'agent_app_install_request', since: 1 },
});

export type FrameKindName = keyof typeof frameKinds;

const byByte = new Map<number, FrameKindName>(
  Object.entries(frameKinds).map(([name, kind]) => [kind.byte, name as FrameKindName]),
);

export const frameKindOf = (byte: number | undefined): FrameKindName | undefined =>
  byte === undefined ? undefined : byByte.get(byte);

/** Whether a side may send such a frame under these permissions. A byte that is in no row is nobody's. */
export function maySend(side: Side, byte: number | undefined, permissions: ReadonlySet<string>): boolean {
  const name = frameKindOf(byte);
  if (name === undefined) return false;
  const { from, permission }: FrameKind = frameKinds[name];
  return (from === 'both' || from === side) && (permission === null || permissions.has(permission));
}

/** The permissions that open something in a session. */
export const sessionPermissions: readonly SessionPermission[] = [
  ...new Set(Object.values(frameKinds).flatMap(({ permission }: FrameKind) => permission ?? [])),
];

/** Bytes of the longest frame, with its seal. */
export const maxFrameBytes = 2 * 1_024 * 1_024;
