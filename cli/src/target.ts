/** Decides which server a command calls, with which key, and which certificate it trusts. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type CliFailure, isCliFailure, usageFailure } from './failure.ts';
import type { GlobalOptions } from './command-line.ts';
import { suggestion } from './suggest.ts';
import { type ServerProfile, readProfiles } from './profiles.ts';
import type { Trust } from './trust.ts';
import type { CliContext } from './context.ts';
import type { LocalServer } from './local-server.ts';

export interface ServerTarget {
  server: string;
  key: string;
  trust: Trust;
  /** The trace that the call belongs to (W3C Trace Context), from the variable TRACEPARENT. */
  traceparent?: string | undefined;
}

/** Flags take precedence over environment variables, those over the profile, and that over the server on this machine. */
export async function resolveTarget(
  options: GlobalOptions,
  context: CliContext,
): Promise<ServerTarget | CliFailure> {
  const profile = profileOf(options, context);
  return isCliFailure(profile) ? profile : targetWithProfile(options, context, profile);
}

export async function targetWithProfile(
  options: GlobalOptions,
  context: CliContext,
  profile?: ServerProfile,
): Promise<ServerTarget | CliFailure> {
  const found = await findServer(options, context, profile);
  if (isCliFailure(found)) return found;
  const { server, local } = found;
  // A saved key is sent only to the server it was saved with.
  const own = profile?.server === server ? profile : undefined;
  const key = await keyOf(options, context, own);
  if (isCliFailure(key)) return key;
  const trust =
    explicitTrust(options, context, own) ?? ownTrust(local ?? (await localIfLoopback(server, context)));
  return isCliFailure(trust) ? trust : { server, key, trust, traceparent: traceparentIn(context) };
}

/** A value that is not one is ignored, because other programs set the variable. */
function traceparentIn({ env }: CliContext): string | undefined {
  const text = env['TRACEPARENT'] ?? '';
  return /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/.test(text) ? text : undefined;
}

interface FoundServer {
  server: string;
  /** Set if no server was named, so that it is the one on this machine. */
  local?: LocalServer;
}

async function findServer(
  options: GlobalOptions,
  context: CliContext,
  profile?: ServerProfile,
): Promise<FoundServer | CliFailure> {
  const given = options.server ?? context.env['DRAWBRIDGE_SERVER'] ?? profile?.server;
  if (given !== undefined) {
    const server = parseServerUrl(given);
    return isCliFailure(server) ? server : { server };
  }
  const local = await context.localServer();
  if (isCliFailure(local)) return local;
  if (local.server === null)
    return usageFailure(
      'The settings name no address of this machine with a port: pass the address of the server with --server.',
    );
  return { server: local.server, local };
}

function profileOf(options: GlobalOptions, context: CliContext): ServerProfile | undefined | CliFailure {
  const requested = options.profile ?? context.env['DRAWBRIDGE_PROFILE'];
  const profiles = readProfiles(context);
  if (isCliFailure(profiles)) return profiles;
  if (Object.hasOwn(profiles, requested ?? 'default')) return profiles[requested ?? 'default'];
  if (requested === undefined) return undefined;
  return usageFailure(`There is no profile ${requested}.${suggestion(requested, Object.keys(profiles))}`);
}

function parseServerUrl(text: string): string | CliFailure {
  const url = URL.parse(text.includes('://') ? text : `https://${text}`);
  if (url?.protocol !== 'https:')
    return usageFailure(
      `The address of the server must be an https URL, such as https://example.com, not ${text}.`,
    );
  if (url.username !== '' || url.search !== '' || url.hash !== '') {
    return usageFailure('The address of the server can contain only a host, a port and a path.');
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

async function keyOf(
  options: GlobalOptions,
  context: CliContext,
  profile: ServerProfile | undefined,
): Promise<string | CliFailure> {
  const given = options.key ?? context.env['DRAWBRIDGE_API_KEY'] ?? profile?.key;
  const key = given === '-' ? (await context.input()).trim() : given;
  if (key === undefined || key === '') {
    return usageFailure('No API key: pass --key, set DRAWBRIDGE_API_KEY, or save one with drawbridge login.');
  }
  return /^[\x21-\x7e]+$/.test(key)
    ? key
    : usageFailure('The API key can contain only letters, digits and punctuation, and no spaces.');
}

/** What the person said about certificates: in this command, or when the profile was saved. */
function explicitTrust(
  options: GlobalOptions,
  context: CliContext,
  profile?: ServerProfile,
): Trust | CliFailure | undefined {
  if (options.ca !== undefined && options.fingerprint !== undefined) {
    return usageFailure('Give either --ca or --fingerprint, not both.');
  }
  if (options.fingerprint !== undefined) return parsePin(options.fingerprint);
  const ca = options.ca ?? context.env['DRAWBRIDGE_CA'];
  if (ca) return certificateFile(resolve(context.folder, ca));
  if (profile?.fingerprint !== undefined) return parsePin(profile.fingerprint);
  return profile?.ca === undefined ? undefined : certificateFile(profile.ca);
}

/**
 * Accepts the fingerprint of the certificate, `AB:CD:…` as the server prints it, also without colons and in lower case, or
 * that of its public key, `sha256//…` as curl takes it.
 */
function parsePin(text: string): Trust | CliFailure {
  if (/^sha256\/\/[A-Za-z0-9+/]{43}=$/.test(text)) return { kind: 'pin', fingerprint: text };
  const digits = text.replaceAll(':', '').toUpperCase();
  if (!/^[0-9A-F]{64}$/.test(digits))
    return usageFailure(
      '--fingerprint must be the SHA-256 of the certificate, 32 pairs of hexadecimal digits, or of its public key, sha256//….',
    );
  return { kind: 'pin', fingerprint: digits.match(/../g)?.join(':') ?? '' };
}

function certificateFile(file: string): Trust | CliFailure {
  try {
    if (readFileSync(file, 'utf8').includes('-----BEGIN CERTIFICATE-----')) return { kind: 'file', file };
    return usageFailure(`The certificate file ${file} contains no certificate in PEM.`);
  } catch (error) {
    return usageFailure(
      `The certificate file ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
}

/** A server on this machine presents the certificate that its settings name. Anyone who can read the file can trust it. */
const ownTrust = (local: LocalServer | undefined): Trust =>
  local === undefined || local.fingerprint === null
    ? { kind: 'system' }
    : { kind: 'own', file: local.certificate, fingerprint: local.fingerprint };

/** Settings that cannot be read do not matter to a person who has named the server. */
async function localIfLoopback(server: string, context: CliContext): Promise<LocalServer | undefined> {
  if (!/^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(server).hostname)) return undefined;
  const local = await context.localServer();
  return isCliFailure(local) ? undefined : local;
}
