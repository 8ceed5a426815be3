/** The page that offers the agent: the line that installs it, and each file with its checksum. */
import { head } from '../http/pages.ts';
import { installLine, type Place } from './install-script.ts';
import type { Offer, OfferedFile } from './offered.ts';

const systems = { linux: 'Linux', macos: 'macOS', windows: 'Windows' } as const;

const frame = async (content: string): Promise<string> => `${await head('Drawbridge agent')}
<main class="card wide">
<h1>Drawbridge agent</h1>
${content}
</main>
</html>
`;

export const downloadPage = (offer: Offer, place: Place): Promise<string> =>
  frame(`<p>On a Linux device with systemd, this one line installs the agent as a service. Put an enrolment token in the
place of <code>TOKEN</code>; the operation <a href="/docs/#/Permanent%20access%3A%20devices/agents%2Fenroll%2Fcreate">agents/enroll/create</a> makes one.</p>
<pre><code>${installLine(place)}</code></pre>
${place.keyPin && pinNote}
<h2>Files of version ${offer.version}</h2>
<ul>
${offer.files.map(fileItem).join('\n')}
</ul>
<p class="quiet">All checksums: <a href="/download/SHA256SUMS">SHA256SUMS</a>. What the line runs:
<a href="/download/install.sh">install.sh</a>.</p>`);

const pinNote = `<p class="quiet">This server made its own certificate. The line names its public key, and curl refuses every
other server. The line is only as trustworthy as the way it reached you: compare the certificate your browser shows with the
fingerprint the server printed when it started.</p>`;

const fileItem = ({ name, os, arch, size, sha256 }: OfferedFile): string =>
  `<li><a href="/download/${name}">${name}</a> — ${systems[os]}, ${arch}, ${(size / 1_048_576).toFixed(0)} MiB<br>
<code>${sha256}</code></li>`;

export const notBuiltPage = (): Promise<string> =>
  frame(`<p>The agent as a single file was not built on this server yet. On the server’s machine, in the folder of
Drawbridge, this builds it:</p>
<pre><code>npm run build:agent</code></pre>
<p class="quiet">Until then a device with Node can run <code>npx drawbridge agent run</code>.</p>`);
