/** The manual page of the settings, derived from their schema. */
import { foreignNames, foreignPrefixes, variableOf } from './names.ts';
import { manualOf, settingNames } from './schema.ts';
import type { SettingName } from './schema.ts';

const opening = `# Settings

Every setting can be given as an environment variable or as a key of \`drawbridge.toml\` in the working directory
(for another file, set \`DRAWBRIDGE_CONFIG=path\`). An environment variable overrides the file. An empty variable counts
as not set. Relative paths start at the working directory. In the file, lists can be arrays, and numbers and booleans
are written without quotes. The server refuses unknown settings, so that you notice a mistyped one. It reads the
settings once, when it starts.
`;

const legacyForm = `## The older form of the API

With \`DRAWBRIDGE_LEGACY_API=true\` a request may carry its key as \`apikey=…\` in the query string instead of the header
\`X-Api-Key\`. Such a request, and no other, is answered in the older form:

- \`agents/list\` answers the array of devices itself, without \`{ "data": … }\` around it.
- A refusal carries \`"data": null\` after \`error\`. HTTP codes, \`status\` and \`error\` are the same.
- Every \`geo\` has two more keys after its four, \`ip_from\` and \`ip_to\`: the first and the last address of the network in which
  the location database lists \`ip\`. Both are \`""\` if it does not know the address.

The header takes precedence where a request has both. Keys in a query string end up in the logs of proxies; use the
header in everything new.

\`DRAWBRIDGE_CORS_ORIGINS\` then also accepts \`*\` and http origins, for \`/v1\` alone; the panel and all other pages stay
closed to other origins. The server warns about such origins when it starts.
`;

const example = `## Example

\`\`\`toml
# drawbridge.toml
listen = "0.0.0.0:8443"
public_url = "https://help.example.com"
tls_cert = "/etc/drawbridge/fullchain.pem"
tls_key = "/etc/drawbridge/privkey.pem"
trusted_proxies = ["10.0.0.5", "fd00::/8"]
\`\`\`
`;

/** The text of docs/settings.md. */
export function settingsManual(): string {
  const rows = [['Variable', 'Key in the file', 'Default', 'Accepts', 'Meaning'], ...settingNames.map(toRow)];
  return [opening, toTable(rows), legacyForm, example, foreignVariables()].join('\n');
}

function toRow(name: SettingName): string[] {
  const { says, accepts, default: given, absent = '', secret } = manualOf(name);
  const meaning = secret ? `${says} May contain a password: keep it secret.` : says;
  return [code(variableOf(name)), code(name), given === '' ? absent : code(given), accepts, meaning];
}

/** Padded as a formatter would do it. */
function toTable(rows: readonly string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`,
  );
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [lines[0], rule, ...lines.slice(1), ''].join('\n');
}

function foreignVariables(): string {
  const names = [...foreignNames.map(code), ...foreignPrefixes.map((start) => code(`${start}*`))];
  return `## Variables of other programs

The command line and the agents read variables with the same prefix. The server ignores them:
${names.slice(0, -1).join(', ')} and ${names.at(-1)}.
\`DRAWBRIDGE_CONFIG\` only tells where the file is and has no key in the file.
`;
}

function code(text: string): string {
  return `\`${text}\``;
}
