/** The shared screen and everybody it is shown to. */
import type { Clock } from '../../session/clock.ts';
import type { ConnectedOperator } from '../connected-operators.ts';
import { joinTexts } from '../texts.ts';
import { previewOf } from './preview.ts';
import { shareScreen, type ScreenShare } from './screen-share.ts';
import { startShareStreamer, type ShareStreamer } from './share-streamer.ts';
import { canEncodeVideo } from './vp8-encoder.ts';

export interface ScreenSharing {
  readonly share: ScreenShare | undefined;
  /** False when nothing was shared. */
  start(): Promise<boolean>;
  stop(): void;
  addOperator(operator: ConnectedOperator): void;
  removeOperator(operator: ConnectedOperator): void;
}

export interface ScreenSharingOptions {
  clock: Clock;
  operators(): readonly ConnectedOperator[];
  /** A small picture, in base64. */
  preview(picture: string): void;
  changed(): void;
}

const previewEveryMs = 10_000;

export function createScreenSharing({
  clock,
  operators,
  preview,
  changed,
}: ScreenSharingOptions): ScreenSharing {
  const streamers = new Map<ConnectedOperator, ShareStreamer>();
  let share: ScreenShare | undefined;
  let canEncode = false;

  const show = (operator: ConnectedOperator): void => {
    if (!share) return;
    const { send } = operator.session;
    const video = canEncode && operator.view.video !== false;
    const started = startShareStreamer({
      share,
      send,
      video,
      name: joinTexts.sharing.monitor,
      now: clock.now,
    });
    streamers.set(operator, started);
    // It begins with a whole picture anyhow.
    started.setView({ ...operator.view, fresh: false });
  };
  const removeOperator = (operator: ConnectedOperator): void => {
    streamers.get(operator)?.stop();
    streamers.delete(operator);
  };
  const stop = (): void => share?.stop();
  const begin = (started: ScreenShare): void => {
    share = started;
    const stopPreviews = sendPreviews(started, clock, preview);
    const end = (): void => {
      stopPreviews();
      share = undefined;
      [...streamers.keys()].forEach(removeOperator);
      changed();
    };
    void started.ended.then(end);
    // They hear first that there is a screen, and then see it.
    changed();
    operators().forEach(show);
  };

  return {
    get share() {
      return share;
    },
    async start() {
      // First of all: the browser shows its question only right after a press of a button.
      const asked = shareScreen(clock);
      canEncode = await canEncodeVideo();
      const started = await asked;
      if (started) begin(started);
      return started !== undefined;
    },
    stop,
    addOperator(operator) {
      operator.session.on('view', (view) => {
        operator.view = { ...operator.view, ...view };
        if (streamers.has(operator)) streamers.get(operator)!.setView(view);
        else show(operator);
      });
      operator.session.on('shown', (number) => streamers.get(operator)?.shown(number));
    },
    removeOperator,
  };
}

/** One as soon as there is a picture, then another now and then. */
function sendPreviews(share: ScreenShare, clock: Clock, send: (picture: string) => void): () => void {
  let sentAt = -Infinity;
  return share.onTick(() => {
    if (clock.now() - sentAt < previewEveryMs || !share.picture) return;
    sentAt = clock.now();
    void previewOf(share).then((picture) => picture && send(picture));
  });
}
