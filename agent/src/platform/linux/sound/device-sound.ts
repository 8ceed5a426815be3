/** What the default loudspeaker of the device plays, from its monitor source of PulseAudio or PipeWire. */
import type { DeviceSound } from '../../device-sound.ts';
import { NotPossible } from '../../platform.ts';
import {
  findDefaultMonitor,
  isMonitor,
  startMonitorRecorder,
  type MonitorRecorder,
} from './monitor-recorder.ts';
import { isInstalled, startSoundProgram } from './sound-server.ts';

export async function openDeviceSound(): Promise<DeviceSound> {
  if (!isInstalled('parec'))
    throw new NotPossible(
      'The sound cannot be sent: parec (package pulseaudio-utils) is not installed on the device.',
    );
  const state: State = { recorder: undefined, onData: () => {}, onEnd: () => {}, isOver: false };
  const events = await startSoundProgram('pactl', ['subscribe']);
  await follow(state);
  if (state.isOver) {
    events.kill();
    throw new NotPossible(
      'The sound cannot be sent: no sound server runs on the device, or it has no loudspeaker.',
    );
  }
  // The server reports each change of its default loudspeaker.
  events.stdout.on('data', (data: Buffer) => {
    if (data.includes(' on server')) followAgain(state);
  });
  return {
    onData: (listener) => void (state.onData = listener),
    onEnd: (listener) => void (state.onEnd = listener),
    close() {
      events.kill();
      state.isOver = true;
      state.recorder?.close();
    },
  };
}

interface State {
  recorder: MonitorRecorder | undefined;
  /** Present while the default loudspeaker is looked for. */
  following?: Promise<void>;
  onData(samples: Uint8Array): void;
  onEnd(): void;
  isOver: boolean;
}

function end(state: State): void {
  if (state.isOver) return;
  state.isOver = true;
  state.recorder?.close();
  state.onEnd();
}

function followAgain(state: State): void {
  state.following = Promise.resolve(state.following)
    .then(() => follow(state))
    .catch(() => end(state));
}

/** Records the loudspeaker that is the default now, or ends the sound if there is none. */
async function follow(state: State): Promise<void> {
  const monitor = await findDefaultMonitor();
  if (state.isOver || (monitor && monitor === state.recorder?.source())) return;
  state.recorder?.close();
  state.recorder = monitor
    ? await startMonitorRecorder(monitor, {
        onData: (samples) => state.onData(samples),
        onMoved: () => followAgain(state),
        onEnd: () => end(state),
      })
    : undefined;
  if (state.isOver) state.recorder?.close();
  else if (!state.recorder || !isMonitor(state.recorder.source() || monitor!)) end(state);
}
