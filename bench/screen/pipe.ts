/** The process between noVNC and a VNC server: serves the page and noVNC, and forwards bytes between WebSocket and server. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { connect, type AddressInfo } from 'node:net';
import { dirname, join, normalize } from 'node:path';
import { WebSocketServer } from 'ws';

const library = join(dirname(createRequire(import.meta.url).resolve('@novnc/novnc')), '..');
const vncPort = Number(process.argv[2]);

const page = `<!doctype html><title>noVNC</title>
<body style="margin: 0; overflow: hidden"><div id="screen" style="width: 100vw; height: 100vh"></div>
<script type="module">
import RFB from '/novnc/core/rfb.js';
const rfb = new RFB(document.querySelector('#screen'), 'ws://' + location.host + '/vnc', { shared: true });
rfb.addEventListener('connect', () => document.body.classList.add('live'));
</script>`;

const server = createServer((request, response) => {
  const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
  if (!path.startsWith('/novnc/')) return void response.setHeader('Content-Type', 'text/html').end(page);
  void readFile(join(library, path.slice('/novnc/'.length))).then(
    (file) => response.setHeader('Content-Type', 'text/javascript').end(file),
    () => response.writeHead(404).end(),
  );
});

new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (socket) => {
  const vnc = connect({ host: '127.0.0.1', port: vncPort, noDelay: true });
  const resume = (): void => void vnc.resume();
  vnc.on('data', (chunk) => {
    // Back-pressure: sends no faster than the browser receives.
    if (socket.bufferedAmount > 65_536) vnc.pause();
    socket.send(chunk, resume);
  });
  vnc.on('error', () => {}).on('close', () => socket.terminate());
  socket.on('message', (data: Buffer) => vnc.write(data)).on('close', () => vnc.destroy());
  socket.on('error', () => {});
});

server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit(0));
