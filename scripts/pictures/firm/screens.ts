/** The screens of a fictional firm's devices, rendered by the browser as small images. */
import type { Browser } from '../../../tests/kit/browser/browser.ts';
import type { ScreenContent } from './devices.ts';

const size = { width: 320, height: 200 };

const rows = (count: number, line: (row: number) => string): string =>
  Array.from({ length: count }, (_, row) => line(row)).join('');

/** A bar in place of a word. */
const word = (width: number, colour = '#9aa4b2'): string =>
  `<i style="display:inline-block;height:4px;width:${width}px;background:${colour};margin:0 4px 0 0"></i>`;

const frame = (title: string, body: string, ground = '#fff'): string =>
  `<div style="position:absolute;inset:18px 26px 30px;background:${ground};border-radius:4px;overflow:hidden">
  <div style="background:#d7dde5;color:#27313d;padding:3px 8px;font-size:9px">${title}</div>
  <div style="padding:8px">${body}</div></div>`;

const sheet = rows(
  9,
  (row) =>
    `<div style="display:flex;border-bottom:1px solid #dde2e8;padding:3px 0">${rows(5, (column) => `<span style="flex:1">${word(18 + ((row * 7 + column * 11) % 26), row === 0 ? '#2d7d66' : '#9aa4b2')}</span>`)}</div>`,
);
const till = `<div style="display:grid;grid-template-columns:repeat(5,1fr);gap:5px">${rows(15, (cell) => `<b style="height:27px;border-radius:3px;background:${['#e07a5f', '#f2cc8f', '#81b29a', '#6d8bbd', '#b9c3cf'][cell % 5]}"></b>`)}</div>`;
const terminal = rows(
  12,
  (row) => `<div style="height:9px">${word(8, '#5fd38d')}${word(30 + ((row * 37) % 170), '#c5d0dc')}</div>`,
);
const plan = `<svg width="250" height="125" fill="none" stroke="#3b6ea8" stroke-width="2"><rect x="12" y="8" width="150" height="100"/><path d="M12 58h90M102 8v100M162 30h70v78h-70M30 80h40v28"/><circle cx="200" cy="70" r="18" stroke="#c4572f"/></svg>`;
const letter = rows(
  11,
  (row) => `<div style="height:11px">${word(row % 5 === 4 ? 60 : 150 + ((row * 23) % 80))}</div>`,
);
const locked = `<div style="position:absolute;inset:0;display:grid;place-content:center;text-align:center;color:#fff"><span style="font-size:34px;font-weight:300">11:30</span><span style="font-size:10px">Wednesday 24 February</span></div>`;

const screens: Record<ScreenContent, string> = {
  sheet: frame('Guests this week', sheet),
  till: frame('Table 7', till, '#f4f1ea'),
  terminal: frame('root: journalctl -f', terminal, '#15202b'),
  plan: frame('Drawing 2031-4', plan, '#fbfcfe'),
  letter: frame('Letter', letter),
  locked,
};

const page = (body: string): string =>
  `<body style="margin:0;height:200px;font-family:sans-serif;background:#3f7470">${body}
  <div style="position:absolute;inset:auto 0 0;height:13px;background:#1d2b36"></div></body>`;

/** JPEG images of all screens, in base64. */
export async function renderScreens(browser: Browser): Promise<Record<ScreenContent, string>> {
  const { tab, emulate } = await browser.page();
  await emulate(size);
  const taken: Partial<Record<ScreenContent, string>> = {};
  for (const [name, body] of Object.entries(screens)) {
    await tab.goto(`data:text/html;charset=utf-8,${encodeURIComponent(page(body))}`);
    const options = { type: 'jpeg', quality: 80, encoding: 'base64' } as const;
    taken[name as ScreenContent] = await tab.screenshot(options);
  }
  return taken as Record<ScreenContent, string>;
}

const logo = `<svg xmlns="http://www.w3.org/2000/svg" width="128" height="128"><rect width="128" height="128" rx="28" fill="#0f766e"/>
  <path d="M64 22c16 22 28 36 28 52a28 28 0 0 1-56 0c0-16 12-30 28-52z" fill="#fff"/></svg>`;

/** The firm's logo, as a PNG. */
export async function renderLogo(browser: Browser): Promise<Buffer<ArrayBuffer>> {
  const { tab, emulate } = await browser.page();
  await emulate({ width: 128, height: 128 });
  await tab.goto(`data:text/html,${encodeURIComponent(`<body style="margin:0">${logo}</body>`)}`);
  return Buffer.from(await tab.screenshot({ omitBackground: true }));
}
