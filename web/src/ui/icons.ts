/** The icons: outlines on a 24 × 24 grid, in the colour of the text. */

const outlines = {
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4M12 5V3',
  bridge: 'M3 17h18M5 17V8m14 9V8M5 10c3 0 6 1 7 3 1-2 4-3 7-3M9 17v-4m6 4v-4',
  view: 'M3 5h18v11H3zM9 20h6m-3-4v4',
  monitors: 'M2 5h12v9H2zM8 18H5m3-4v4m2-8h12v8H12v-4',
  keyboard: 'M2 6h20v12H2zM6 10h.01M10 10h.01M14 10h.01M18 10h.01M7 14h10',
  record: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  camera: 'M3 7h4l2-3h6l2 3h4v13H3zM12 9.500a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7z',
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
  tiles: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  dot: 'M12 10.500a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3z',
  sound: 'M4 9h4l5-5v16l-5-5H4zM16.500 8.500a5 5 0 0 1 0 7M19 6a8.500 8.500 0 0 1 0 12',
  print: 'M7 8V3h10v5M7 17H4V8h16v9h-3M7 13h10v8H7z',
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
  search: 'M10.500 4a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13zM15.500 15.500L20 20',
  star: 'M12 3.500l2.600 5.400 5.900.800-4.300 4.100 1.100 5.900L12 16.900l-5.300 2.800 1.100-5.900L3.500 9.700l5.900-.800z',
  wake: 'M12 7.500a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9zM12 2v2.500m0 15V22M2 12h2.500m15 0H22M5 5l1.800 1.800m10.400 10.400L19 19M5 19l1.800-1.800M17.200 6.800L19 5',
  moon: 'M20 14.500A8.500 8.500 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500z',
  gear: 'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM10.300 3h3.400l.5 2.600 1.900 1.100 2.500-.9 1.700 2.900-2 1.700v2.200l2 1.700-1.700 2.900-2.500-.9-1.900 1.100-.5 2.600h-3.400l-.5-2.600L7.900 16.300l-2.500.9-1.700-2.900 2-1.700v-2.200l-2-1.700 1.700-2.900 2.500.9 1.900-1.100z',
  clock: 'M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17zM12 7.500V12l3 2',
  key: 'M8 10a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11 11l9-7m-3 2.500l2.500 3M14 9l2 2.500',
  list: 'M4 6h16M4 12h16M4 18h16',
  columns: 'M4 5h16v14H4zM9.300 5v14M14.600 5v14',
  copy: 'M8 8h12v12H8zM16 8V4H4v12h4',
  link: 'M10 14a4 4 0 0 0 5.700 0l3.500-3.500a4 4 0 0 0-5.700-5.700L12 6.300M14 10a4 4 0 0 0-5.700 0l-3.500 3.500a4 4 0 0 0 5.700 5.700L12 17.700',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5m4-5v5',
  edit: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  leave: 'M10 4H4v16h6M14 8l4 4-4 4M8 12h10',
  filter: 'M3 5h18l-7 8v6l-4-2v-4z',
  download: 'M12 4v11m-4-4l4 4 4-4M4 20h16',
  drag: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
  down: 'M6 9l6 6 6-6',
  outside: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  person: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 21c0-5 4-7 8-7s8 2 8 7',
  server: 'M4 4h16v7H4zM4 13h16v7H4zM7 7.500h.01M7 16.500h.01',
  brush:
    'M12 3a9 9 0 1 0 0 18c1.500 0 2-1 1.500-2-.6-1.200 0-2.500 1.500-2.500h2.500A3.500 3.500 0 0 0 21 13c0-5.500-4-10-9-10zM7.500 12h.01M9.500 8h.01M14.500 8h.01',
  gauge: 'M4 18a9 9 0 1 1 16 0M12 14l4-5',
  qr: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 18h2v2h-2zM18 14h2M14 18v2',
  help: 'M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17zM9.500 9.500A2.500 2.500 0 1 1 12 12.500v1.500m0 2.500h.01',
  merge: 'M6 4v4c0 4 6 4 6 8v4M18 4v4c0 4-6 4-6 8',
  note: 'M5 4h14v11l-5 5H5zM19 15h-5v5M8 8h8M8 12h5',
} as const;

export type IconName = keyof typeof outlines;

export const outlineOf = (name: IconName): string => outlines[name];

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
