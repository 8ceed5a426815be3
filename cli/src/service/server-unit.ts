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

export const serverUnit = (command: readonly string[]): string => `[Unit]
Description=Drawbridge server
After=network-online.target postgresql.service nats-server.service
Wants=network-online.target

[Service]
Type=exec
User=drawbridge
Group=drawbridge
ExecStart=${command.map(quote).join(' ')} start
Environment=DRAWBRIDGE_CONFIG=${servicePaths.settings}
Environment=DRAWBRIDGE_DATA=${servicePaths.data}
Environment=NODE_COMPILE_CACHE=/var/cache/drawbridge
WorkingDirectory=${servicePaths.data}
StateDirectory=drawbridge
StateDirectoryMode=0700
CacheDirectory=drawbridge
CacheDirectoryMode=0700
UMask=0077
Restart=on-failure
RestartSec=2
# Longer than drain_seconds, so that devices and sessions can move to other servers.
TimeoutStopSec=40
KillMode=mixed
LimitNOFILE=65536

${restrictions}
[Install]
WantedBy=multi-user.target
`;

/** The system user, in the format of sysusers.d. */
export const serverUser = `u drawbridge - "Drawbridge server" ${servicePaths.data}\n`;

/** The settings of a new service. */
export const initialSettings = `# Settings of the Drawbridge server; docs/settings.md lists them all.
# The folder of the data is ${servicePaths.data}, as the unit says.
#listen = "0.0.0.0:8443"
#public_url = "https://help.example.com:8443"
`;
