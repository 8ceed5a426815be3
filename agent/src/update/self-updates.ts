/** Updates of the installed agent: on request of the server, or on its own while the agent cannot join; with a way back. */
import type { UpMessage } from '@drawbridge/contract/uplink/messages';
import { NotPossible } from '../platform/platform.ts';
import { installRelease, type InstallOptions, type InstallStep } from './install-release.ts';
import { endTrial, settleTrial, type Trial } from './slots.ts';
import { loadRecord, saveRecord } from './update-record.ts';

export type UpdateReport = Omit<Extract<UpMessage, { kind: 'update' }>, 'kind'>;

export interface SelfUpdates {
  /** Begins an update that the server asked for, unless one is running. */
  request(version: string): void;
  /** The server has accepted the device, so the running version works. `send` is absent if the server knows no reports. */
  connected(send: ((report: UpdateReport) => void) | undefined): void;
  disconnected(): void;
  stop(): void;
}

export interface SelfUpdatesOptions extends Omit<InstallOptions, 'onStep' | 'server'> {
  server(): InstallOptions['server'];
  /** Whether the account lets the device update itself while it cannot join. */
  isAllowed(): boolean;
  random(): number;
  /** Ends this process, so that the service manager starts the current slot. */
  restart(): void;
  log(line: string): void;
}

/** An agent that has not joined for this time looks for a release itself, about once in this time. */
const lookAfterMs = 30 * 60_000;

const reported: Partial<Record<InstallStep, UpdateReport['state']>> = {
  verified: 'downloading',
  tested: 'waiting',
  switched: 'restarting',
};

interface State {
  readonly options: SelfUpdatesOptions;
  /** Sends to the connected server, if it knows reports. */
  send: ((report: UpdateReport) => void) | undefined;
  /** The last report that could not be sent. */
  pending: UpdateReport | undefined;
  active: Promise<void> | undefined;
  /** The next look for a release. */
  timer: NodeJS.Timeout | undefined;
  /** The running version, until it has connected. */
  trial: Trial | undefined;
  readonly end: AbortController;
}

export function createSelfUpdates(options: SelfUpdatesOptions): SelfUpdates {
  const state: State = {
    options,
    send: undefined,
    pending: undefined,
    active: undefined,
    timer: undefined,
    trial: undefined,
    end: new AbortController(),
  };
  begin(state);
  return {
    request: (version) => update(state, version),
    connected(send) {
      clearTimeout(state.timer);
      state.send = send;
      if (state.trial) confirm(state, state.trial);
      if (state.pending) send?.(state.pending);
      state.pending = undefined;
    },
    disconnected() {
      state.send = undefined;
      lookLater(state);
    },
    stop() {
      clearTimeout(state.timer);
      state.end.abort();
    },
  };
}

function begin(state: State): void {
  const { folder, stateFolder, log } = state.options;
  const found = settleTrial(folder);
  if (found.state === 'running') {
    state.trial = found; // what has started it ends it if it does not connect
    return;
  }
  if (found.state === 'failed') {
    const { version } = found;
    saveRecord(stateFolder, { ...loadRecord(stateFolder), failed: version });
    state.pending = { state: 'failed', version, message: noConnection };
    log(`version ${version} did not connect; this is the previous version`);
  }
  lookLater(state);
}

function confirm(state: State, { version }: Trial): void {
  endTrial(state.options.folder);
  state.trial = undefined;
  state.pending = { state: 'done', version };
}

/** Random, so that devices whose server has changed do not all come at once. */
function lookLater(state: State): void {
  const { options } = state;
  state.timer = setTimeout(
    () => {
      if (options.isAllowed()) update(state);
      lookLater(state);
    },
    lookAfterMs * (0.5 + options.random()),
  );
}

/** `wanted`: the version that the server asked for. */
function update(state: State, wanted?: string): void {
  const report = (message: UpdateReport): void => {
    if (state.send) state.send(message);
    else state.pending = message;
  };
  state.active ??= install(state, report, wanted).finally(() => (state.active = undefined));
}

const noConnection = 'It did not connect within five minutes, so the previous version runs again.';

async function install(
  { options, end: { signal } }: State,
  report: (message: UpdateReport) => void,
  wanted: string | undefined,
): Promise<void> {
  let version = wanted ?? '';
  const onStep = (step: InstallStep, found: string): void => {
    version = found;
    const state = reported[step];
    if (state) report({ state, version });
  };
  try {
    await installRelease({ ...options, server: { ...options.server(), signal }, onStep }, wanted);
    options.log(`restarting with version ${version}`);
    options.restart();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    options.log(`not updated: ${message}`);
    const state = error instanceof NotPossible ? 'failed' : 'refused';
    if (version !== '') report({ state, version, message: message.slice(0, 512) });
  }
}
