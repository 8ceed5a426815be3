/** The download page of the agent: the command that installs it, and each file with its checksum. */
import { pageHead } from '../page.ts';
import { installCommand, type PinnedServer } from './install-script.ts';
import type { OfferedFiles, ReleaseFile } from '@drawbridge/contract/uplink/release';
import { hasWindows, windowsInstallCommand } from './windows-scripts.ts';

const systems = { linux: 'Linux', macos: 'macOS', windows: 'Windows' } as const;

const frame = async (content: string): Promise<string> => `${await pageHead('Drawbridge agent')}
<main class="card wide">
<h1>Drawbridge agent</h1>
${content}
</main>
</html>
`;

export const downloadPage = (release: OfferedFiles, server: PinnedServer): Promise<string> =>
  frame(`<p>On a Linux device with systemd, this command installs the agent as a service. Replace
<code>TOKEN</code> with an enrolment token. The operation <a href="/docs/#/Permanent%20access%3A%20devices/agents%2Fenroll%2Fcreate">agents/enroll/create</a> creates one.</p>
<pre><code>${installCommand(server)}</code></pre>
${hasWindows(release) ? windowsPart(server) : ''}${server.keyPin && pinNote}
<h2>Files of version ${release.version}</h2>
<ul>
${release.files.map(fileItem).join('\n')}
</ul>
<p class="quiet">All checksums: <a href="/download/SHA256SUMS">SHA256SUMS</a>. The script that the command runs:
<a href="/download/install.sh">install.sh</a>${hasWindows(release) ? ', <a href="/download/install.ps1">install.ps1</a>' : ''}.</p>`);

const windowsPart = (server: PinnedServer): string =>
  `<p>On a Windows device, run this line in PowerShell as an administrator. The agent for Windows is a beta, tested under
Wine.</p>
<pre><code>${windowsInstallCommand(server).replaceAll('&', '&amp;')}</code></pre>
`;

const pinNote = `<p class="quiet">This server uses a self-signed certificate. The command contains the public key of the server, and
curl refuses every other server. Make sure that this page comes from your server: compare the certificate that your browser shows
with the fingerprint that the server printed when it started.</p>`;

const fileItem = ({ name, os, arch, size, sha256 }: ReleaseFile): string =>
  `<li><a href="/download/${name}">${name}</a> — ${systems[os]}, ${arch}, ${(size / 1_048_576).toFixed(0)} MiB<br>
<code>${sha256}</code></li>`;

export const notBuiltPage = (): Promise<string> =>
  frame(`<p>The agent is not built on this server yet. To build it, run this command on the server, in the
Drawbridge folder:</p>
<pre><code>npm run build:agent</code></pre>
<p class="quiet">Until then, a device with Node can run <code>npx drawbridge agent run</code>.</p>`);
