/** The pictures on buttons: outlines on a grid of 24, in the colour of the text. */

const outlines = {
  bridge: 'M3 17h18M5 17V8m14 9V8M5 10c3 0 6 1 7 3 1-2 4-3 7-3M9 17v-4m6 4v-4',
  view: 'M3 5h18v11H3zM9 20h6m-3-4v4',
  monitors: 'M2 5h12v9H2zM8 18H5m3-4v4m2-8h12v8H12v-4',
  keyboard: 'M2 6h20v12H2zM6 10h.01M10 10h.01M14 10h.01M18 10h.01M7 14h10',
  clipboard: 'M8 4h8v4H8zM8 6H5v15h14V6h-3',
  more: 'M5 11a1 1 0 1 0 0 2 1 1 0 0 0 0-2zM12 11a1 1 0 1 0 0 2 1 1 0 0 0 0-2zM19 11a1 1 0 1 0 0 2 1 1 0 0 0 0-2z',
  lock: 'M5 11h14v10H5zM8 11V8a4 4 0 0 1 8 0v3',
  power: 'M12 3v9M6.5 7a8 8 0 1 0 11 0',
  blind:
    'M3 3l18 18M10 5.2A10 10 0 0 1 22 12a14 14 0 0 1-2.6 3.6M6.5 6.8A14 14 0 0 0 2 12a10.500 10.500 0 0 0 14.500 5.400',
  eye: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5z',
  safe: 'M12 3l8 3v6c0 5-3.500 8-8 9-4.500-1-8-4-8-9V6zM9 12l2 2 4-4',
  chat: 'M4 4h16v12H10l-4 4v-4H4z',
  people:
    'M9 4a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7zM2.500 20c0-4 3-6 6.500-6s6.500 2 6.500 6M16 4.500a3.500 3.500 0 0 1 0 6.500M18 14.500c2.300.8 3.500 2.700 3.500 5.500',
  terminal: 'M3 4h18v16H3zM7 9l3 3-3 3M13 15h4',
  files: 'M3 5h6l2 3h10v12H3z',
  software: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM16.500 13v7M13 16.500h7',
  voice: 'M12 3a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3zM5 11a7 7 0 0 0 14 0M12 18v3',
  install: 'M12 3v11m-4-4l4 4 4-4M4 17v4h16v-4',
  end: 'M6 6l12 12M18 6L6 18',
  up: 'M12 20V5m-6 6l6-6 6 6',
  home: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z',
  again: 'M20 11a8 8 0 1 0-2 6M20 5v6h-6',
  bring: 'M12 16V4m-5 5l5-5 5 5M4 16v4h16v-4',
  file: 'M6 3h8l5 5v13H6zM14 3v5h5',
  play: 'M7 4l13 8-13 8z',
  pause: 'M7 4v16M17 4v16',
  check: 'M5 12l5 5 9-11',
  next: 'M9 5l7 7-7 7',
  warning: 'M12 4L2.500 20h19zM12 10v5m0 2.500h.01',
  send: 'M4 12l16-8-6 16-3-7z',
  add: 'M12 5v14M5 12h14',
} as const;

export type IconName = keyof typeof outlines;

const svg = 'http://www.w3.org/2000/svg';

export function icon(name: IconName): SVGSVGElement {
  const drawing = document.createElementNS(svg, 'svg');
  drawing.setAttribute('viewBox', '0 0 24 24');
  drawing.setAttribute('class', 'icon');
  drawing.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(svg, 'path');
  path.setAttribute('d', outlines[name]);
  drawing.append(path);
  return drawing;
}
