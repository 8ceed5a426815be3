/** The systemd unit of the agent: starts it after the network, and again after every crash with growing delays. */
import { environmentName } from './environment-file.ts';

export const unitName = 'drawbridge-agent.service';

/** Quotes a value for systemd; a percent sign would start a specifier. */
const quote = (value: string): string =>
  `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`;

/** In commands a dollar sign would also start a variable. */
const quoteArgument = (value: string): string => quote(value).replaceAll('$', '$$$$');

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
