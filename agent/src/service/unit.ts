/** What systemd is told of the agent: start it after the network, and again after every crash, ever more slowly. */
import { vncSettings } from '../platform/linux/vnc/settings.ts';

export const unitName = 'drawbridge-agent.service';

/** A word as systemd reads it back: a percent sign would begin a placeholder of its own. */
const quoted = (word: string): string =>
  `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`;

/** In commands a dollar sign would begin a variable too. */
const commandWord = (word: string): string => quoted(word).replaceAll('$', '$$$$');

/** The file in the agent's folder with the environment of the service. */
export const environmentName = 'environment';

/**
 * Nothing of the machine is fenced off: terminal and files are all of it, homes and sudo too, and in /tmp are the sockets
 * of the displays. What operators may do is for their permissions to say, and the folder for DRAWBRIDGE_AGENT_FILES.
 */
export const unitFile = ({
  command,
  folder,
}: {
  command: readonly string[];
  folder: string;
}): string => `[Unit]
Description=Drawbridge agent: remote access to this device
After=network-online.target
Wants=network-online.target
StartLimitIntervalSec=0

[Service]
ExecStart=${command.map(commandWord).join(' ')} run --service
Environment=${quoted(`DRAWBRIDGE_AGENT_DATA=${folder}`)}
EnvironmentFile=-${folder.replaceAll('%', '%%')}/${environmentName}
Restart=on-failure
RestartSec=2
RestartSteps=8
RestartMaxDelaySec=300
NoNewPrivileges=no
PrivateTmp=no

[Install]
WantedBy=multi-user.target
`;

/** What a service does not inherit from whoever installs it, yet needs to reach the server and the screen. */
const inherited = ['HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy', ...vncSettings];

/**
 * A proxy's address may hold a password, which `systemctl show` would tell everybody: it goes into a file of its own.
 * What `known`, the file as it is, says of others than those that are set now stays.
 */
export const environmentFile = (env: NodeJS.ProcessEnv, known = ''): string => {
  const lines = new Map(known.split('\n').map((line) => [line.split('=', 1)[0]!, `${line}\n`]));
  return inherited
    .map((name) =>
      env[name] ? `${name}="${env[name].replace(/["\\$`]/g, '\\$&')}"\n` : (lines.get(name) ?? ''),
    )
    .join('');
};
