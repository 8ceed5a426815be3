/** What systemd is told of the agent: start it after the network, and again after every crash, ever more slowly. */
export const unitName = 'drawbridge-agent.service';

/** A word as systemd reads it back: a percent sign would begin a placeholder of its own. */
const quoted = (word: string): string =>
  `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`;

/** In commands a dollar sign would begin a variable too. */
const commandWord = (word: string): string => quoted(word).replaceAll('$', '$$$$');

/** The file in the agent's folder with the environment of the service. */
export const environmentName = 'environment';

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
ProtectHome=read-only
PrivateTmp=no

[Install]
WantedBy=multi-user.target
`;

/** What a service does not inherit from whoever installs it, yet needs to reach the server. */
const inherited = ['HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy'];

/** A proxy's address may hold a password, which `systemctl show` would tell everybody: it goes into a file of its own. */
export const environmentFile = (env: NodeJS.ProcessEnv): string =>
  inherited
    .filter((name) => env[name])
    .map((name) => `${name}="${env[name]!.replace(/["\\$`]/g, '\\$&')}"\n`)
    .join('');
