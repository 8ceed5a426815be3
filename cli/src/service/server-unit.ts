/** The systemd unit of the server, and the other files of its service. */

export const serverUnitName = 'drawbridge.service';

/** Where the parts of the service are. */
export const servicePaths = {
  unit: `/etc/systemd/system/${serverUnitName}`,
  user: '/etc/sysusers.d/drawbridge.conf',
  settings: '/etc/drawbridge/drawbridge.toml',
  data: '/var/lib/drawbridge',
} as const;

/** Quotes an argument for systemd, where percent and dollar signs have a meaning. */
const quote = (value: string): string =>
  `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`;

/**
 * The server needs its data folder and the network, and nothing else of the machine. V8 writes code at run time, so
 * `MemoryDenyWriteExecute` is not possible.
 */
const restrictions = `CapabilityBoundingSet=
NoNewPrivileges=yes
LockPersonality=yes
PrivateDevices=yes
PrivateTmp=yes
PrivateUsers=yes
ProcSubset=pid
ProtectClock=yes
ProtectControlGroups=yes
ProtectHome=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
ProtectSystem=strict
RemoveIPC=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_NETLINK AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallErrorNumber=EPERM
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
`;

interface UnitOptions {
  description: string;
  after: string;
  /** How the program is started, with its arguments as systemd reads them. */
  command: string;
  settings: string;
  /** The name of its folders below /var/lib and /var/cache. */
  folder: string;
  /** Why it needs how many seconds to stop. */
  stop: string;
}

const unitText = ({ description, after, command, settings, folder, stop }: UnitOptions): string => `[Unit]
Description=${description}
After=${after}
Wants=network-online.target

[Service]
Type=exec
User=drawbridge
Group=drawbridge
ExecStart=${command}
Environment=DRAWBRIDGE_CONFIG=${settings}
Environment=DRAWBRIDGE_DATA=/var/lib/${folder}
Environment=NODE_COMPILE_CACHE=/var/cache/${folder}
WorkingDirectory=/var/lib/${folder}
StateDirectory=${folder}
StateDirectoryMode=0700
CacheDirectory=${folder}
CacheDirectoryMode=0700
UMask=0077
Restart=on-failure
RestartSec=2
${stop}
KillMode=mixed
LimitNOFILE=65536

${restrictions}
[Install]
WantedBy=multi-user.target
`;

export const serverUnit = (command: readonly string[]): string =>
  unitText({
    description: 'Drawbridge server',
    after: 'network-online.target postgresql.service nats-server.service',
    command: `${command.map(quote).join(' ')} start`,
    settings: servicePaths.settings,
    folder: 'drawbridge',
    stop: `# Longer than drain_seconds, so that devices and sessions can move to other servers.
TimeoutStopSec=40`,
  });

/** A relay that runs alone, on a machine without a server. */
export const relayUnit = (command: readonly string[]): string =>
  unitText({
    description: 'Drawbridge relay',
    after: 'network-online.target',
    command: `${command.map(quote).join(' ')} relay start`,
    settings: '/etc/drawbridge/relay.toml',
    folder: 'drawbridge-relay',
    stop: `# The relay tells both sides of each session to connect elsewhere.
TimeoutStopSec=15`,
  });

/** The system user, in the format of sysusers.d. */
export const serverUser = `u drawbridge - "Drawbridge server" ${servicePaths.data}\n`;

/** The settings of a new service. */
export const initialSettings = `# Settings of the Drawbridge server; docs/settings.md lists them all.
# The folder of the data is ${servicePaths.data}, as the unit says.
#listen = "0.0.0.0:8443"
#public_url = "https://help.example.com:8443"
`;
