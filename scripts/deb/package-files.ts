/** The files of the Debian package besides the program: control data, scripts, unit, user, settings and command. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  initialSettings,
  servicePaths,
  serverUnit,
  serverUnitName,
  serverUser,
} from '../../cli/src/service/server-unit.ts';

/** Where the program is on the machine. */
export const programFolder = '/usr/lib/drawbridge';
/** Where the package has the Node that the server runs on. */
export const nodePath = `${programFolder}/bin/node`;

const launcher = `${programFolder}/cli/bin/drawbridge.cjs`;

interface PackageFile {
  path: string;
  text: string;
  mode: number;
}

const control = (version: string, architecture: string): string => `Package: drawbridge
Version: ${version}
Architecture: ${architecture}
Maintainer: Drawbridge <drawbridge@localhost>
Section: net
Priority: optional
Depends: libatomic1, libc6 (>= 2.28), libstdc++6, systemd | systemd-standalone-sysusers
Description: Self-hosted remote access for support teams
 The server of Drawbridge with its command line and the Node that it runs on.
`;

/** A new service starts with the installation, an updated one is restarted, and one that was stopped stays stopped. */
const afterInstall = `#!/bin/sh
set -e
if [ "$1" = configure ]; then
  systemd-sysusers drawbridge.conf
  chgrp drawbridge ${servicePaths.settings}
  if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    if [ -z "$2" ]; then
      systemctl enable --now ${serverUnitName}
    else
      systemctl try-restart ${serverUnitName}
    fi
  fi
fi
`;

/** What Node has cached for root is not part of the package. */
const beforeRemove = `#!/bin/sh
set -e
rm -rf ${programFolder}/dist/.cache
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  systemctl disable --now ${serverUnitName}
fi
`;

const afterRemove = `#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
if [ "$1" = purge ]; then
  echo 'The data of Drawbridge stays in ${servicePaths.data}.'
fi
`;

/** For those who may read the settings of the service, the command works on its data. */
const command = `#!/bin/sh
if [ -r ${servicePaths.settings} ]; then
  : "\${DRAWBRIDGE_CONFIG=${servicePaths.settings}}" "\${DRAWBRIDGE_DATA=${servicePaths.data}}"
  export DRAWBRIDGE_CONFIG DRAWBRIDGE_DATA
fi
exec ${nodePath} ${launcher} "$@"
`;

const packageFiles = (version: string, architecture: string): PackageFile[] => [
  { path: '/DEBIAN/control', text: control(version, architecture), mode: 0o644 },
  { path: '/DEBIAN/conffiles', text: `${servicePaths.settings}\n`, mode: 0o644 },
  { path: '/DEBIAN/postinst', text: afterInstall, mode: 0o755 },
  { path: '/DEBIAN/prerm', text: beforeRemove, mode: 0o755 },
  { path: '/DEBIAN/postrm', text: afterRemove, mode: 0o755 },
  { path: '/usr/lib/sysusers.d/drawbridge.conf', text: serverUser, mode: 0o644 },
  { path: `/usr/lib/systemd/system/${serverUnitName}`, text: serverUnit([nodePath, launcher]), mode: 0o644 },
  { path: servicePaths.settings, text: initialSettings, mode: 0o640 },
  { path: '/usr/bin/drawbridge', text: command, mode: 0o755 },
];

/** Writes them below the folder from which the package is built. */
export function writePackageFiles(stage: string, version: string, architecture: string): void {
  for (const { path, text, mode } of packageFiles(version, architecture)) {
    mkdirSync(dirname(join(stage, path)), { recursive: true, mode: 0o755 });
    writeFileSync(join(stage, path), text, { mode });
  }
}
