/** The script that starts the installed agent. It returns to the previous version if a new one does not connect. */

/** The name of the script in the program's folder. */
export const startScriptName = 'start';

/**
 * It must start an agent whatever happens, also on a full disk, so no failure ends it. A version on trial that starts for
 * the fourth time has neither connected nor returned to the previous version itself.
 */
export const startScript = `#!/bin/sh
# Starts the agent. A new version that was started three times without connecting is replaced by the previous one.
folder=\${0%/*}
program=$folder/drawbridge-agent

if [ -f "$folder/trial" ]; then
  read -r previous < "$folder/trial"
  target=slots/$previous/drawbridge-agent
  if [ -x "$folder/$target" ] && [ "$(readlink "$program")" != "$target" ]; then
    echo >> "$folder/starts"
    if [ "$(wc -l < "$folder/starts")" -gt 3 ]; then
      ln -sf "$target" "$program.link" && mv -fT "$program.link" "$program"
    fi
  fi
fi

exec "$program" "$@"
`;
