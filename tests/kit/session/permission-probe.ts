/**
 * A fake platform that can do everything a session asks for, and records the permission each action belongs
 * to.
 */
import type { SessionPermission } from '@drawbridge/contract/session/frame-kinds';
import type { DeviceSound } from '@drawbridge/agent/platform/device-sound';
import type { Capture, Desktop } from '@drawbridge/agent/platform/desktop';
import type { Files } from '@drawbridge/agent/platform/files';
import { NotPossible, type Platform } from '@drawbridge/agent/platform/platform';
import type { SessionPrinter } from '@drawbridge/agent/platform/printing/session-printer';
import type { Shell } from '@drawbridge/agent/platform/shell';
import type { Voice } from '@drawbridge/agent/platform/voice';
import { createFakePlatform } from '../agent/fake-platform.ts';

export interface PermissionProbe {
  platform: Platform;
  /** What was done to it, by the permission required. */
  touched: Set<SessionPermission>;
}

const sidePixels = 64;
const nothing = (): void => {};

/** Makes a function that records that it was called, with the permission it belongs to. */
type Recorder = <Given extends unknown[], Answer>(
  permission: SessionPermission,
  answer: (...given: Given) => Answer,
) => (...given: Given) => Answer;

const capture: Capture = {
  damage: async () => [],
  grab: async (boxes) =>
    boxes.map((box) => ({
      box,
      words: new Uint32Array(sidePixels * sidePixels),
      offset: 0,
      stride: sidePixels,
    })),
  onDamage: nothing,
  onCursor: nothing,
  close: nothing,
};

const shell: Shell = {
  onData: nothing,
  onEnd: nothing,
  write: nothing,
  resize: nothing,
  pause: nothing,
  resume: nothing,
  close: nothing,
};

const sound: DeviceSound = { onData: nothing, onEnd: nothing, close: nothing };
const printer: SessionPrinter = { onJob: nothing, close: async () => {} };
const voice: Voice = { onData: nothing, play: nothing, onEnd: nothing, close: nothing };

function desktopOf(by: Recorder): Desktop {
  const input = by('agent_control', nothing);
  const box = { x: 0, y: 0, width: sidePixels, height: sidePixels };
  return {
    layout: async () => ({ ...box, monitors: [{ ...box, name: 'made-up', primary: true }], sizes: [] }),
    onLayout: nothing,
    onClose: nothing,
    capture: by('agent_connect', async () => capture),
    // Opened for anyone who may control; what counts is what is done with it.
    input: async () => ({
      pointer: input,
      wheel: input,
      key: input,
      text: input,
      reset: nothing,
      close: nothing,
    }),
    clipboard: async () => ({ onChange: nothing, write: by('agent_clipboard', nothing), close: nothing }),
    fileDrags: async () => ({
      onBegin: nothing,
      search: by('agent_file_transfer', () => ({ found: Promise.resolve(false), move() {}, close() {} })),
      openTarget: () => ({ move: nothing, close: nothing }),
      close: nothing,
    }),
    resize: by('agent_control', async () => {}),
    restoreSize: async () => {},
    shield: by('agent_lock_input', async () => async () => {}),
    banner: async () => ({ onStop: nothing, setText: nothing, close: nothing }),
    ask: async () => true,
    inform: async () => {},
    chat: by('agent_chat', async () => {}),
    close: nothing,
  };
}

export function createPermissionProbe(): PermissionProbe {
  const touched = new Set<SessionPermission>();
  const by: Recorder =
    (permission, answer) =>
    (...given) => {
      touched.add(permission);
      return answer(...given);
    };
  const desktop = desktopOf(by);
  return {
    touched,
    platform: createFakePlatform('touchy', {
      desktop: async () => desktop,
      files: async () => filesOf(by('agent_file_transfer', async () => {})),
      shell: by('agent_terminal_mode', async () => shell),
      voice: by('agent_audio_calls', async () => voice),
      sound: by('agent_audio_calls', async () => sound),
      printer: by('agent_file_transfer', async () => printer),
      lock: by('agent_lock_screen', async () => {}),
      software: by('agent_program_list', async () => []),
      // It would end the session.
      reboot: by('agent_reboot', () => Promise.reject(new NotPossible('It stays on.'))),
    }),
  };
}

const filesOf = (touch: () => Promise<void>): Files => ({
  home: '/',
  list: async () => (await touch(), { entries: [], more: false, total: 0 }),
  open: async () => (
    await touch(),
    { size: 0, time: 0, read: async () => new Uint8Array(0), close: async () => {} }
  ),
  create: async () => (
    await touch(),
    { from: 0, write: async () => {}, finish: async () => {}, close: async () => {}, discard: async () => {} }
  ),
  folder: touch,
  rename: touch,
  remove: touch,
});
