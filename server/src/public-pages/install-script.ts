/** The script behind the one-line installation, and the line itself. */
import type { ReleaseManifest } from './release-manifest.ts';

export interface PinnedServer {
  /** Where this server is reached. */
  publicUrl: string;
  /** SHA-256 of the server's public key in base64; empty where everybody trusts its certificate. */
  keyPin: string;
}

/** With a certificate of our own, the key is named: curl then refuses every other server, whatever else it is told. */
export const curlPin = (keyPin: string): string =>
  keyPin === '' ? '' : ` -k --pinnedpubkey 'sha256//${keyPin}'`;

export const installCommand = ({ publicUrl, keyPin }: PinnedServer, token = 'TOKEN'): string =>
  `curl -fsSL${curlPin(keyPin)} ${publicUrl}/download/install.sh | sudo sh -s -- ${token}`;

/** What `uname -m` calls the processors. */
const machines = { x64: 'Linux-x86_64 | Linux-amd64', arm64: 'Linux-aarch64 | Linux-arm64' } as const;

/** Functions of the shell that scripts share: to fetch a file, and to tell what is in it. */
export const downloadFunction = (keyPin: string): string => `download() {
  if command -v curl > /dev/null; then
    curl -fsSL${curlPin(keyPin)} -o "$2" "$1"
  elif command -v wget > /dev/null; then
    wget -q${keyPin && ' --no-check-certificate'} -O "$2" "$1" # the checksum below tells whether it is the right file
  else
    fail 'curl or wget is required, and neither is installed.'
  fi
}
`;

export const checksumFunction = `checksum() {
  if command -v sha256sum > /dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}
`;

const fileCase = ({ arch, name, sha256 }: ReleaseManifest['files'][number]): string =>
  `    ${machines[arch]}) name=${name} sha256=${sha256} ;;`;

/** The file for each machine, as lines of a `case`. */
export const fileCases = ({ files }: ReleaseManifest): string =>
  files
    .filter(({ os }) => os === 'linux')
    .map(fileCase)
    .join('\n');

/** Only what the shell can not misread is put into it: an origin, base64, hexadecimal digits and names of ours. */
export const installScript = (
  release: ReleaseManifest,
  { publicUrl, keyPin }: PinnedServer,
): string => `#!/bin/sh
# Installs the Drawbridge agent: downloads it, compares its checksum and lets it install itself as a service.
set -eu

server='${publicUrl}'
folder=/usr/local/lib/drawbridge
program=$folder/drawbridge-agent

fail() {
  echo "The Drawbridge agent was not installed: $1" >&2
  exit 1
}

${downloadFunction(keyPin)}
${checksumFunction}
main() {
  [ "$(id -u)" = 0 ] || fail 'root rights are required. Put sudo before sh.'
  case "$(uname -s)-$(uname -m)" in
${fileCases(release)}
    *) fail "this server has no agent for $(uname -s) on $(uname -m)." ;;
  esac

  mkdir -p "$folder"
  trap 'rm -f "$program.new"' EXIT
  download "$server/download/$name" "$program.new" || fail "$name could not be downloaded from $server."
  [ "$(checksum "$program.new")" = "$sha256" ] || fail 'the checksum of the downloaded file is wrong.'
  chmod 755 "$program.new"
  "$program.new" --version > /dev/null ||
    fail 'it does not start on this machine. It needs glibc 2.28 or newer, libstdc++ and libatomic (Debian: libatomic1).'
  mv -f "$program.new" "$program"

  # A device that has joined already needs no token: it is only brought up to date.
  "$program" install --server "$server" \${1:+--token "$1"}
}

# The last line, so that a script that was cut off on its way does nothing.
main "$@"
`;
