/** Every kind of frame in a session, one row each: its byte, which side sends it, and the permission it needs. */
import type { AgentPermission, SupportPermission } from '../permissions.ts';

export type Side = 'operator' | 'device';

/** Permissions that apply within a session; the others are about managing invitations. */
export type SessionPermission = Exclude<
  AgentPermission | SupportPermission,
  'quick_support_admin' | 'quick_support_technical'
>;

export interface FrameKind {
  /** The first byte of the frame, the only one the relay reads. */
  byte: number;
  from: Side | 'both';
  /** Null if every session allows this kind. */
  permission: SessionPermission | null;
  /** The first version of the session protocol that has this kind. */
  since: number;
}

const define = <const Rows extends Record<string, FrameKind>>(rows: Rows): Rows => rows;

export const frameKinds = define({
  /** The device sends its grant, its session key and its signature. The only frame that is not sealed. */
  hello: { byte: 0x01, from: 'device', permission: null, since: 1 },
  /** The operator's first sealed frame. Only the holder of the key in the grant can create it. */
  confirm: { byte: 0x02, from: 'operator', permission: null, since: 1 },
  /** The state of the session: waiting for consent, live, or refused. */
  state: { byte: 0x03, from: 'device', permission: null, since: 1 },
  end: { byte: 0x04, from: 'both', permission: null, since: 1 },
  ping: { byte: 0x05, from: 'both', permission: null, since: 1 },
  pong: { byte: 0x06, from: 'both', permission: null, since: 1 },
  /** The participants, and who controls mouse and keyboard. */
  people: { byte: 0x07, from: 'device', permission: null, since: 1 },
  /** A request was refused, with the reason. */
  refused: { byte: 0x08, from: 'device', permission: null, since: 1 },
  /** Signalling for a direct connection. */
  direct: { byte: 0x09, from: 'both', permission: null, since: 1 },
  /** The sender uses its next key from the next frame on. */
  rekey: { byte: 0x0a, from: 'both', permission: null, since: 1 },

  /** The monitors, and the size of the screen image. */
  layout: { byte: 0x10, from: 'device', permission: 'agent_connect', since: 1 },
  video: { byte: 0x11, from: 'device', permission: 'agent_connect', since: 1 },
  tiles: { byte: 0x12, from: 'device', permission: 'agent_connect', since: 1 },
  cursor: { byte: 0x13, from: 'device', permission: 'agent_connect', since: 1 },
  /** The update with this number is on the operator's screen. */
  shown: { byte: 0x14, from: 'operator', permission: 'agent_connect', since: 1 },
  /** Selects the monitor and the quality, or pauses the screen. */
  view: { byte: 0x15, from: 'operator', permission: 'agent_connect', since: 1 },

  pointer: { byte: 0x20, from: 'operator', permission: 'agent_control', since: 1 },
  wheel: { byte: 0x21, from: 'operator', permission: 'agent_control', since: 1 },
  key: { byte: 0x22, from: 'operator', permission: 'agent_control', since: 1 },
  /** Text without key events, from a phone's keyboard or an input method. */
  text: { byte: 0x23, from: 'operator', permission: 'agent_control', since: 1 },
  /** Takes control of mouse and keyboard, or passes it on. */
  drive: { byte: 0x24, from: 'operator', permission: 'agent_control', since: 1 },
  /** Asks the device for another screen size. */
  resize: { byte: 0x25, from: 'operator', permission: 'agent_control', since: 1 },

  clipboard: { byte: 0x30, from: 'both', permission: 'agent_clipboard', since: 1 },

  terminal: { byte: 0x40, from: 'both', permission: 'agent_terminal_mode', since: 1 },
  terminal_bytes: { byte: 0x41, from: 'both', permission: 'agent_terminal_mode', since: 1 },

  file: { byte: 0x50, from: 'operator', permission: 'agent_file_transfer', since: 1 },
  file_answer: { byte: 0x51, from: 'device', permission: 'agent_file_transfer', since: 1 },
  file_bytes: { byte: 0x52, from: 'both', permission: 'agent_file_transfer', since: 1 },

  /** The operator asks for a printer on the device; the device reports whether it has one. */
  printing: { byte: 0x53, from: 'both', permission: 'agent_file_transfer', since: 10 },
  /** A document that was printed on the device for the operator, and the operator's acknowledgements. */
  document: { byte: 0x54, from: 'both', permission: 'agent_file_transfer', since: 10 },
  document_bytes: { byte: 0x55, from: 'device', permission: 'agent_file_transfer', since: 10 },

  /** Files that the operator drags out of the picture. */
  file_drag: { byte: 0x56, from: 'both', permission: 'agent_file_transfer', since: 11 },

  chat: { byte: 0x60, from: 'both', permission: 'agent_chat', since: 1 },

  call: { byte: 0x70, from: 'both', permission: 'agent_audio_calls', since: 1 },
  voice: { byte: 0x71, from: 'both', permission: 'agent_audio_calls', since: 1 },

  /** The operator asks for the sound of the device; the device reports whether it is sent. */
  sound: { byte: 0x72, from: 'both', permission: 'agent_audio_calls', since: 7 },
  /** An Opus packet of the sound of the device. */
  sound_bytes: { byte: 0x73, from: 'device', permission: 'agent_audio_calls', since: 7 },

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

/** Whether a side may send such a frame under these permissions; false for a kind that this version does not know. */
export function maySend(side: Side, byte: number | undefined, permissions: ReadonlySet<string>): boolean {
  const name = frameKindOf(byte);
  if (name === undefined) return false;
  const { from, permission }: FrameKind = frameKinds[name];
  return (from === 'both' || from === side) && (permission === null || permissions.has(permission));
}

/** The permissions that at least one kind of frame needs. */
export const sessionPermissions: readonly SessionPermission[] = [
  ...new Set(Object.values(frameKinds).flatMap(({ permission }: FrameKind) => permission ?? [])),
];

/** Size of the largest frame, including its authentication tag. */
export const maxFrameBytes = 2 * 1_024 * 1_024;

/**
 * The mask of frames that programs send to a relay. Browsers mask what they send with random bytes, so that a script cannot write a request that a
 * proxy on the way understands. What programs send is sealed and inside TLS already: zeros are a valid mask that both ends can skip.
 */
export const zeroMask = (mask: Uint8Array): void => void mask.fill(0);
