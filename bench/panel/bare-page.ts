/** The baseline: the same devices with the same rows, all drawn with plain DOM calls. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const html = `<!doctype html>
<meta charset="utf-8">
<title>Bare</title>
<style>
  body { font: 15px system-ui; }
  .row { display: grid; grid-template-columns: 2fr 1.3fr 1.2fr 186px; height: 52px; align-items: center; }
  .row[hidden] { display: none; }
  .row span { overflow: hidden; }
  .on { color: green; }
</style>
<input type="search">
<div id="rows"></div>
<script type="module" src="/bare.js"></script>`;

const script = `
const make = (name, ...children) => {
  const element = document.createElement(name);
  element.append(...children);
  return element;
};
const cells = ({ id, name, device_id, os, online, os_user, group_id }) => {
  const link = make('a', name);
  link.href = '/panel/devices/' + id;
  const box = make('input');
  box.type = 'checkbox';
  const dot = make('span', '●');
  if (online) dot.className = 'on';
  return [
    make('span', box, dot, make('span', link, make('span', device_id + ' · ' + os))),
    make('span', make('span', online ? 'Online' : 'Offline'), make('span', os_user)),
    make('span', groups.get(group_id) ?? ''),
    make('span', make('button', '☆'), make('button', 'Connect'), make('button', '…')),
  ];
};
const groups = new Map();
const place = document.querySelector('#rows');
const known = new Map();
const { data } = await (await fetch('/devices')).json();
data.sort((one, other) => other.online - one.online || (one.name < other.name ? -1 : 1));
const all = document.createDocumentFragment();
for (const device of data) {
  const row = make('div', ...cells(device));
  row.className = 'row';
  known.set(device.id, { row, text: [device.name, device.device_id, device.os_user].join(' ').toLowerCase() });
  all.append(row);
}
place.append(all);
document.querySelector('input').addEventListener('input', ({ target }) => {
  const wanted = target.value.toLowerCase();
  for (const { row, text } of known.values()) row.hidden = !text.includes(wanted);
});
globalThis.putOff = (ids) => {
  for (const id of ids) {
    const { row } = known.get(id);
    row.children[0].children[1].className = '';
    row.children[1].children[0].textContent = 'Offline';
  }
};
`;

export interface BarePage extends AsyncDisposable {
  url: string;
}

/** `devices` is the response of our server, byte for byte. */
export async function serveBare(devices: string): Promise<BarePage> {
  const bodies: Record<string, [type: string, body: string]> = {
    '/': ['text/html', html],
    '/bare.js': ['text/javascript', script],
    '/devices': ['application/json', devices],
  };
  const server = createServer(({ url = '/' }, answer) => {
    const [type, body] = bodies[url] ?? ['text/plain', ''];
    answer.writeHead(200, { 'content-type': type }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => void server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
