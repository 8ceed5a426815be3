/** The bar below the picture: play, place, speed. */
import { iconButton } from '../ui/button.ts';
import { element, fill } from '../ui/element.ts';
import type { Playback } from './playback.ts';
import { playerTexts } from './texts.ts';

export interface Controls {
  element: HTMLElement;
  refresh(): void;
}

const speeds = [1, 2, 4, 8];

const formatTime = (ms: number): string => {
  const seconds = Math.floor(ms / 1_000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
};

export function createControls(playback: Playback, container: HTMLElement): Controls {
  const toggle = element('span');
  const time = element('span', { class: 'player-time' });
  const slider = element('input', {
    type: 'range',
    class: 'player-place',
    min: 0,
    max: playback.duration,
    step: 100,
    'aria-label': playerTexts.seek,
    oninput: () => playback.seek(Number(slider.value)),
  });
  const speed = element(
    'select',
    {
      class: 'field player-speed',
      'aria-label': playerTexts.speed,
      onchange: () => playback.setSpeed(Number(speed.value)),
    },
    ...speeds.map((each) => element('option', { value: each }, playerTexts.times(each))),
  );
  const full = iconButton({
    icon: 'view',
    title: playerTexts.fullScreen,
    press: () => void container.requestFullscreen(),
  });
  let shown: boolean | undefined;
  const refresh = (): void => {
    const { playing, position, duration } = playback;
    if (shown !== playing)
      fill(
        toggle,
        iconButton({
          icon: playing ? 'pause' : 'play',
          title: playing ? playerTexts.pause : playerTexts.play,
          press: () => (playing ? playback.pause() : playback.play()),
        }),
      );
    shown = playing;
    slider.value = String(position);
    slider.setAttribute('aria-valuetext', formatTime(position));
    time.textContent = `${formatTime(position)} / ${formatTime(duration)}`;
  };
  refresh();
  return {
    element: element('div', { class: 'player-bar', role: 'group' }, toggle, slider, time, speed, full),
    refresh,
  };
}
