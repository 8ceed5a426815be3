/** The controls below the picture: play, position, speed, full screen. */
import { iconButton } from '../ui/button.ts';
import { element, fill } from '../ui/element.ts';
import { readableClock } from '../ui/readable.ts';
import type { Playback } from './playback.ts';
import { playerTexts } from './texts.ts';

export interface Controls {
  element: HTMLElement;
  refresh(): void;
}

const speeds = [1, 2, 4, 8];

interface ControlsState {
  playback: Playback;
  toggle: HTMLElement;
  slider: HTMLInputElement;
  time: HTMLElement;
  /** Whether the button was last drawn as playing. */
  shownPlaying: boolean | undefined;
}

export function createControls(playback: Playback, container: HTMLElement): Controls {
  const toggle = element('span');
  const time = element('span', { class: 'player-time' });
  const slider = createSlider(playback);
  const full = iconButton({
    icon: 'view',
    title: playerTexts.fullScreen,
    press: () => void container.requestFullscreen(),
  });
  const state: ControlsState = { playback, toggle, slider, time, shownPlaying: undefined };
  refresh(state);
  return {
    element: element(
      'div',
      { class: 'player-bar', role: 'group' },
      toggle,
      slider,
      time,
      createSpeedMenu(playback),
      full,
    ),
    refresh: () => refresh(state),
  };
}

function createSlider(playback: Playback): HTMLInputElement {
  const slider = element('input', {
    type: 'range',
    class: 'player-place',
    min: 0,
    max: playback.duration,
    step: 100,
    'aria-label': playerTexts.seek,
    oninput: () => playback.seek(Number(slider.value)),
  });
  return slider;
}

function createSpeedMenu(playback: Playback): HTMLElement {
  const speed = element(
    'select',
    {
      class: 'field player-speed',
      'aria-label': playerTexts.speed,
      onchange: () => playback.setSpeed(Number(speed.value)),
    },
    ...speeds.map((each) => element('option', { value: each }, playerTexts.times(each))),
  );
  return speed;
}

function refresh(state: ControlsState): void {
  const { playback, toggle, slider, time } = state;
  const { playing, position, duration } = playback;
  if (state.shownPlaying !== playing) fill(toggle, playButton(playback));
  state.shownPlaying = playing;
  slider.value = String(position);
  slider.setAttribute('aria-valuetext', readableClock(position));
  time.textContent = `${readableClock(position)} / ${readableClock(duration)}`;
}

function playButton(playback: Playback): HTMLElement {
  const { playing } = playback;
  return iconButton({
    icon: playing ? 'pause' : 'play',
    title: playing ? playerTexts.pause : playerTexts.play,
    press: () => (playing ? playback.pause() : playback.play()),
  });
}
