/** The command that starts the program of quick support, and the script that it downloads. */
import { curlPin } from '@drawbridge/contract/curl-pin';
import {
  checksumFunction,
  downloadFunction,
  fileCases,
  mainCall,
  type PinnedServer,
} from './install-script.ts';
import type { OfferedFiles } from '@drawbridge/contract/uplink/release';

/** CODE is a placeholder for the nine digits. */
export const joinCommand = ({ publicUrl, keyPin }: PinnedServer): string =>
  `curl -fsSL${curlPin(keyPin)} ${publicUrl}/download/join.sh | sh -s -- CODE`;

/** The script uses one temporary folder and removes it in any case when it ends. */
export const joinScript = (release: OfferedFiles, { publicUrl, keyPin }: PinnedServer): string => `#!/bin/sh
# Runs the Drawbridge agent once, to be helped: downloads it, compares its checksum, and removes it when it ends.
set -eu

server='${publicUrl}'

fail() {
  echo "The program was not started: $1" >&2
  exit 1
}

${downloadFunction(keyPin)}
${checksumFunction}
run() {
  DRAWBRIDGE_AGENT_DATA=$folder "$program" join "$1" --server "$server"${keyPin && ` --fingerprint 'sha256//${keyPin}'`}
}

${joinMain(release)}
${mainCall}`;

const joinMain = (release: OfferedFiles): string => `main() {
  case "\${1:-}" in
    '' | *[!0-9]*) fail 'the code of nine digits is missing.' ;;
  esac
  case "$(uname -s)-$(uname -m)" in
${fileCases(release)}
    *) fail "this server has no program for $(uname -s) on $(uname -m)." ;;
  esac

  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  trap 'exit 130' INT HUP TERM
  program=$folder/drawbridge-agent
  echo 'Downloading…'
  download "$server/download/$name" "$program" || fail "$name could not be downloaded from $server."
  [ "$(checksum "$program")" = "$sha256" ] || fail 'the checksum of the downloaded file is wrong.'
  chmod 700 "$program"

  # Standard input is the pipe that delivers this script, not the keyboard.
  if (: < /dev/tty) 2> /dev/null; then run "$1" < /dev/tty; else run "$1" < /dev/null; fi
}
`;
