/** The page that plays a recording. */
import '../ui/tokens.css';
import './player.css';
import { parseAs } from '@drawbridge/contract/parse';
import { playerPaths, recordingIndex, type RecordingIndex } from '@drawbridge/contract/session/player';
import type { RecordedFrame } from '@drawbridge/contract/session/recording';
import { showCursor } from '../console/screen/cursor.ts';
import { createRemoteScreen } from '../console/screen/remote-screen.ts';
import { createEmitter } from '@drawbridge/session/emitter';
import { decodePayload } from '@drawbridge/session/payloads';
import { button } from '../ui/button.ts';
import { element, fill } from '../ui/element.ts';
import { icon } from '../ui/icons.ts';
import { readableTime } from '../ui/readable.ts';
import { openChunkReader } from './chunk-reader.ts';
import { createControls } from './controls.ts';
import { createPlayback } from './playback.ts';
import { toTimeline, type Segment, type Timeline } from './timeline.ts';
import { playerTexts } from './texts.ts';
import { corruptRecording, requestFailed, toPlaybackError } from './playback-error.ts';

const app = document.querySelector('#app')!;
const token = location.pathname.split('/')[2] ?? '';
const address = `${playerPaths.data}/${encodeURIComponent(token)}`;

const showMessage = (text: string, again?: () => void): void =>
  fill(
    app,
    element(
      'main',
      { class: 'gate' },
      element(
        'div',
        { class: 'card' },
        element('p', { class: 'quiet', role: 'status' }, text),
        again && button(playerTexts.again, again, 'primary'),
      ),
    ),
  );

async function load({ take, number }: Segment): Promise<ArrayBuffer> {
  const response = await fetch(`${address}/${take}/${number}`);
  if (response.status === 404) throw corruptRecording();
  if (!response.ok) throw requestFailed(response.status);
  return response.arrayBuffer();
}

async function start(): Promise<void> {
  showMessage(playerTexts.loading);
  const response = await fetch(address);
  if (!response.ok) throw requestFailed(response.status);
  const { data: index } = parseAs(recordingIndex, await response.json());
  if (!index) throw new Error('the index of the recording is malformed');
  const timeline = toTimeline(index);
  if (timeline.segments.length === 0) return showMessage(playerTexts.empty);
  showPlayer(index, timeline);
}

function showPlayer(index: RecordingIndex, timeline: Timeline): void {
  const { container, reset, showFrame } = createRecordedScreen();
  const problem = element('p', { class: 'notice bad', role: 'alert', hidden: true });
  const playback = createPlayback({
    chunks: openChunkReader(timeline, load),
    timeline,
    show: showFrame,
    reset,
    changed() {
      problem.hidden ||= playback.playing;
      controls.refresh();
    },
    failed(error) {
      const { message, isTransient } = toPlaybackError(error);
      problem.hidden = false;
      fill(problem, message, isTransient && button(playerTexts.again, () => playback.play(), 'small'));
    },
  });
  const controls = createControls(playback, container);
  document.title = `${index.name} · ${playerTexts.product}`;
  fill(
    app,
    element(
      'div',
      { class: 'player' },
      heading(index, timeline.complete),
      container,
      problem,
      controls.element,
    ),
  );
  playback.play();
}

interface RecordedScreen {
  container: HTMLElement;
  reset(): void;
  showFrame(frame: RecordedFrame): void;
}

/** Draws recorded frames with the screen and cursor of the console. */
function createRecordedScreen(): RecordedScreen {
  const emitter = createEmitter();
  const container = element('div', { class: 'player-stage', 'aria-label': playerTexts.screen });
  const source = { on: emitter.on, send: () => true };
  const screen = createRemoteScreen(source);
  const { canvas } = screen;
  const overlay = element('img', { class: 'remote-cursor', alt: '' });
  fill(container, canvas, overlay);
  const cursor = showCursor({ session: source, canvas, overlay, localPointer: () => undefined });
  addEventListener('resize', cursor.refresh);
  return {
    container,
    reset: () => screen.begin(),
    showFrame({ kind, payload }) {
      const read = decodePayload(kind, Uint8Array.from(payload));
      if (read !== undefined) emitter.emit(kind, read);
    },
  };
}

const heading = ({ name, operator, start: began }: RecordingIndex, complete: boolean): HTMLElement =>
  element(
    'header',
    { class: 'player-head' },
    icon('bridge'),
    element('h1', {}, name || playerTexts.product),
    element('span', { class: 'quiet' }, playerTexts.about(operator, readableTime(began))),
    !complete && element('span', { class: 'player-cut' }, icon('warning'), playerTexts.incomplete),
  );

function open(): void {
  start().catch((error: unknown) => {
    const { message, isTransient } = toPlaybackError(error);
    showMessage(message, isTransient ? open : undefined);
  });
}

open();
