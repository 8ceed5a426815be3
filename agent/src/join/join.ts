/** `join CODE`: lets someone help on this machine while the program runs. It needs no account and keeps nothing. */
import { folderVariable } from '../folder.ts';
import { choosePlatform } from '../platform/choose.ts';
import { NotPossible } from '../platform/platform.ts';
import { temporaryFolder } from '../platform/temporary-folder.ts';
import type { AgentArguments } from '../arguments.ts';
import { proxyOptions } from '../uplink/proxy.ts';
import { features } from '../session/features/index.ts';
import { readGivenTrust } from '../uplink/given-trust.ts';
import { trustAuthorities } from '../uplink/trust.ts';
import { offerElevation } from './offer-elevation.ts';
import { withTerminal } from './terminal.ts';
import { serveInvitation } from './serve-invitation.ts';

interface GivenInvitation {
  server: string;
  code: string;
  pin: string | undefined;
  /** The authorities to trust in addition, as certificates in PEM. */
  authorities: string | undefined;
}

/** Parses the arguments; throws a sentence for the user if they are invalid. */
export function readInvitation(options: AgentArguments): GivenInvitation {
  const { server, code } = options;
  const digits = (code ?? '').replace(/[\s-]/g, '');
  if (!/^\d{9}$/.test(digits))
    throw new NotPossible(
      digits === ''
        ? 'The code of nine digits is missing. Usage: join 123456789 --server URL'
        : 'The code must have nine digits. Usage: join 123456789 --server URL',
    );
  if (server === undefined) throw new NotPossible('--server is missing. Usage: join 123456789 --server URL');
  if (!URL.canParse(server) || new URL(server).protocol !== 'https:')
    throw new NotPossible('--server must be an https URL, such as https://example.com.');
  const { certificate: pin, authorities } = readGivenTrust(options);
  return { server: new URL(server).origin, code: digits, pin, authorities };
}

export async function joinInvitation(options: AgentArguments): Promise<number> {
  const invitation = readInvitation(options);
  if (invitation.pin === undefined) trustAuthorities(invitation.authorities);
  // A temporary folder, because the program removes what it unpacks, and a permanent agent has its own folder.
  process.env[folderVariable] = temporaryFolder(process.env[folderVariable]);
  const end = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => end.abort());
  const say = (line: string): void => console.log(line);
  const platform = await choosePlatform(process.env, say);
  const { stdin: input, stdout: output } = process;
  const terminal = input.isTTY ? { input, output } : undefined;
  const elevatedCode = await offerElevation({ options, platform, terminal, say });
  if (elevatedCode !== undefined) return elevatedCode;
  say(
    `Drawbridge quick support, code ${invitation.code.replace(/(\d{3})(?=\d)/g, '$1 ')}. Press Ctrl+C to end it.`,
  );
  const last = await serveInvitation({
    ...invitation,
    features,
    say,
    log: options.verbose ? say : () => {},
    signal: end.signal,
    platform: withTerminal(platform, terminal),
    connect: (address) => proxyOptions(address, process.env),
  });
  say(last?.message ?? 'All sessions have ended. Thank you.');
  // Pending work must not keep the program running after its last message.
  setTimeout(() => process.exit(), 2_000).unref();
  return last === undefined || last.expected ? 0 : 1;
}
