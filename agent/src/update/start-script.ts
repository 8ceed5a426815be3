/** The script that starts the installed agent. It returns to the previous version if a new one does not connect. */

/** The name of the script in the program's folder. */
export const startScriptName = 'start';

/**
 * It must start an agent whatever happens, also on a full disk, so no failure ends it. It returns to the previous version
 * when one on trial starts for the fourth time, or has not connected after five minutes. The time is counted outside of the
 * new version, because that may hang. `$$` is the process of the agent, which takes the place of the script.
 */
export const startScript = `#!/bin/sh
# Starts the agent. A new version that does not connect within five minutes or three starts is replaced by the previous one.
folder=\${0%/*}
program=$folder/drawbridge-agent
seconds=300

return_to_previous() {
  ln -sf "$target" "$program.link" && mv -fT "$program.link" "$program"
}

end_late_trial() {
  waited=0
  while [ -f "$folder/trial" ] && kill -0 $$; do
    if [ $waited -ge $seconds ]; then
      return_to_previous
      kill -KILL $$
    fi
    sleep 1
    waited=$((waited + 1))
  done
}

if [ -f "$folder/trial" ]; then
  read -r previous < "$folder/trial"
  target=slots/$previous/drawbridge-agent
  if [ -x "$folder/$target" ] && [ "$(readlink "$program")" != "$target" ]; then
    echo >> "$folder/starts"
    if [ "$(wc -l < "$folder/starts")" -gt 3 ]; then
      return_to_previous
    else
      end_late_trial > /dev/null 2>&1 &
    fi
  fi
fi

exec "$program" "$@"
`;
