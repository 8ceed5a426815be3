/** The systemd unit of the agent: starts it after the network, and again after every crash with growing delays. */
import { vncSettings } from '../platform/linux/vnc/settings.ts';
import { pathSetting } from '../platform/linux/wayland/wayland-path.ts';

export const unitName = 'drawbridge-agent.service';

/** Quotes a value for systemd; a percent sign would start a specifier. */
const quote = (value: string): string =>
  `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`;

/** In commands a dollar sign would also start a variable. */
const quoteArgument = (value: string): string => quote(value).replaceAll('$', '$$$$');

/** The file in the agent's folder with the environment of the service. */
export const environmentName = 'environment';

/**
 * The unit restricts nothing, because terminal and files give access to the whole machine, including home folders and
 * sudo, and /tmp contains the sockets of the displays. Permissions and DRAWBRIDGE_AGENT_FILES limit what operators can do.
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
ExecStart=${command.map(quoteArgument).join(' ')} run --service
Environment=${quote(`DRAWBRIDGE_AGENT_DATA=${folder}`)}
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

/** Variables that a service does not inherit from the installing user, but needs to reach the server and the screen. */
const inherited = ['HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy', ...vncSettings, pathSetting];

/**
 * A separate file, because the address of a proxy may contain a password, which `systemctl show` would reveal to all users.
 * Lines of `known`, the current file, are kept for variables that are not set now.
 */
export const environmentFile = (env: NodeJS.ProcessEnv, known = ''): string => {
  const lines = new Map(known.split('\n').map((line) => [line.split('=', 1)[0]!, `${line}\n`]));
  return inherited
    .map((name) =>
      env[name] ? `${name}="${env[name].replace(/["\\$`]/g, '\\$&')}"\n` : (lines.get(name) ?? ''),
    )
    .join('');
};
