/** The command that installs the agent, and the script that it downloads. */
import { curlPin } from '@drawbridge/contract/curl-pin';
import type { OfferedFiles } from '@drawbridge/contract/uplink/release';

export interface PinnedServer {
  publicUrl: string;
  /** SHA-256 of the server's public key in base64; empty if its certificate is publicly trusted. */
  keyPin: string;
}

export const installCommand = ({ publicUrl, keyPin }: PinnedServer, token = 'TOKEN'): string =>
  `curl -fsSL${curlPin(keyPin)} ${publicUrl}/download/install.sh | sudo sh -s -- ${token}`;

/** The names that `uname` uses. */
const machines = { x64: 'Linux-x86_64 | Linux-amd64', arm64: 'Linux-aarch64 | Linux-arm64' } as const;

/** Shell functions that both scripts use: one downloads a file, the other computes its checksum. */
export const downloadFunction = (keyPin: string): string => `download() {
  if command -v curl > /dev/null; then
    curl -fsSL${curlPin(keyPin)} -o "$2" "$1"
  elif command -v wget > /dev/null; then
    wget -q${keyPin && ' --no-check-certificate'} -O "$2" "$1" # the checksum below verifies the file
  else
    fail 'curl or wget is required, and neither is installed.'
  fi
}
`;

export const checksumFunction = `checksum() {
  if command -v sha256sum > /dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}
`;

const fileCase = ({ arch, name, sha256 }: OfferedFiles['files'][number]): string =>
  `    ${machines[arch]}) name=${name} sha256=${sha256} ;;`;

/** The branches of a `case` that select the file for the machine. */
export const fileCases = ({ files }: OfferedFiles): string =>
  files
    .filter(({ os }) => os === 'linux')
    .map(fileCase)
    .join('\n');

/** Values put into the script cannot be misread by the shell: an origin, base64, hexadecimal digits and our own file names. */
export const installScript = (
  release: OfferedFiles,
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
${installMain(release)}
${mainCall}`;

const installMain = (release: OfferedFiles): string => `main() {
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

  # A device that is already enrolled needs no token: its agent is only updated.
  "$program" install --server "$server" \${1:+--token "$1"}
}
`;

/** The call at the end of a script. */
export const mainCall = `# The call is the last line, so that a truncated script does nothing.
main "$@"
`;
