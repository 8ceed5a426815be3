/** The shared screen and the streams of it to the operators. */
import type { Clock } from '@drawbridge/session/ports';
import type { ConnectedOperator } from '../connected-operators.ts';
import { joinTexts } from '../texts.ts';
import { previewOf } from './preview.ts';
import { shareScreen, type ScreenShare } from './screen-share.ts';
import { startShareStreamer, type ShareStreamer } from './share-streamer.ts';
import { canEncodeVideo } from './vp8-encoder.ts';

export interface ScreenSharing {
  readonly share: ScreenShare | undefined;
  /** Resolves with false when nothing was shared. */
  start(): Promise<boolean>;
  stop(): void;
  addOperator(operator: ConnectedOperator): void;
  removeOperator(operator: ConnectedOperator): void;
}

export interface ScreenSharingOptions {
  clock: Clock;
  operators(): readonly ConnectedOperator[];
  /** Receives a small picture in base64. */
  preview(picture: string): void;
  changed(): void;
}

const previewIntervalMs = 10_000;

interface SharingState {
  options: ScreenSharingOptions;
  streamers: Map<ConnectedOperator, ShareStreamer>;
  share: ScreenShare | undefined;
  canEncode: boolean;
}

export function createScreenSharing(options: ScreenSharingOptions): ScreenSharing {
  const state: SharingState = { options, streamers: new Map(), share: undefined, canEncode: false };
  return {
    get share() {
      return state.share;
    },
    start: () => start(state),
    stop: () => state.share?.stop(),
    addOperator: (operator) => addOperator(state, operator),
    removeOperator: (operator) => removeOperator(state, operator),
  };
}

async function start(state: SharingState): Promise<boolean> {
  // Called before any await: the browser shows its prompt only right after a click.
  const asked = shareScreen(state.options.clock);
  state.canEncode = await canEncodeVideo();
  const share = await asked;
  if (share) begin(state, share);
  return share !== undefined;
}

function begin(state: SharingState, share: ScreenShare): void {
  const { clock, operators, preview, changed } = state.options;
  state.share = share;
  const stopPreviews = sendPreviews(share, clock, preview);
  const end = (): void => {
    stopPreviews();
    state.share = undefined;
    [...state.streamers.keys()].forEach((operator) => removeOperator(state, operator));
    changed();
  };
  void share.ended.then(end);
  // Operators first learn that a screen is shared, and then receive it.
  changed();
  operators().forEach((operator) => stream(state, operator));
}

function addOperator(state: SharingState, operator: ConnectedOperator): void {
  const { streamers } = state;
  operator.session.on('view', (view) => {
    operator.view = { ...operator.view, ...view };
    if (streamers.has(operator)) streamers.get(operator)!.setView(view);
    else stream(state, operator);
  });
  operator.session.on('shown', (number) => streamers.get(operator)?.shown(number));
}

function removeOperator({ streamers }: SharingState, operator: ConnectedOperator): void {
  streamers.get(operator)?.stop();
  streamers.delete(operator);
}

function stream({ options, streamers, share, canEncode }: SharingState, operator: ConnectedOperator): void {
  if (!share) return;
  const started = startShareStreamer({
    share,
    send: operator.session.send,
    video: canEncode && operator.view.video !== false,
    name: joinTexts.sharing.monitor,
    now: options.clock.now,
  });
  streamers.set(operator, started);
  // The stream starts with a whole picture in any case.
  started.setView({ ...operator.view, fresh: false });
}

/** Sends a preview as soon as there is a picture, and then at intervals. */
function sendPreviews(share: ScreenShare, clock: Clock, send: (picture: string) => void): () => void {
  let sentAt = -Infinity;
  return share.onTick(() => {
    if (clock.now() - sentAt < previewIntervalMs || !share.picture) return;
    sentAt = clock.now();
    void previewOf(share).then((picture) => picture && send(picture));
  });
}
