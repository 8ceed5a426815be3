/** Decides which server a command calls, with which key, and which certificate it trusts. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type CliFailure, isCliFailure, usageFailure } from './failure.ts';
import type { GlobalOptions } from './command-line.ts';
import { suggestion } from './suggest.ts';
import { type ServerProfile, readProfiles } from './profiles.ts';
import type { Trust } from './trust.ts';
import type { CliContext } from './context.ts';

export interface ServerTarget {
  server: string;
  key: string;
  trust: Trust;
}

const defaultServer = 'https://localhost:8443';

/** Flags take precedence over environment variables, and those over the profile. */
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
  const server = parseServerUrl(
    options.server ?? context.env['DRAWBRIDGE_SERVER'] ?? profile?.server ?? defaultServer,
  );
  if (isCliFailure(server)) return server;
  // A saved key is sent only to the server it was saved with.
  const own = profile?.server === server ? profile : undefined;
  const key = await keyOf(options, context, own);
  if (isCliFailure(key)) return key;
  const trust = trustOf(options, context, server, own);
  return isCliFailure(trust) ? trust : { server, key, trust };
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

function trustOf(
  options: GlobalOptions,
  context: CliContext,
  server: string,
  profile?: ServerProfile,
): Trust | CliFailure {
  if (options.ca !== undefined && options.fingerprint !== undefined) {
    return usageFailure('Give either --ca or --fingerprint, not both.');
  }
  if (options.fingerprint !== undefined) return parseFingerprint(options.fingerprint);
  const ca = options.ca ?? context.env['DRAWBRIDGE_CA'];
  if (ca) return certificateFile(resolve(context.folder, ca));
  if (profile?.fingerprint !== undefined) return parseFingerprint(profile.fingerprint);
  if (profile?.ca !== undefined) return certificateFile(profile.ca);
  return ownCertificate(context, server) ?? { kind: 'system' };
}

/** Accepts `AB:CD:…` as the server prints it, also without colons and in lower case. */
function parseFingerprint(text: string): Trust | CliFailure {
  const digits = text.replaceAll(':', '').toUpperCase();
  if (!/^[0-9A-F]{64}$/.test(digits))
    return usageFailure('--fingerprint must be a SHA-256 fingerprint: 32 pairs of hexadecimal digits.');
  return { kind: 'fingerprint', fingerprint: digits.match(/../g)?.join(':') ?? '' };
}

const certificateFile = (file: string): Trust | CliFailure =>
  existsSync(file) ? { kind: 'file', file } : usageFailure(`The certificate file ${file} does not exist.`);

/** A server on this machine presents the certificate from its data folder. Anyone who can read the folder can trust it. */
function ownCertificate(context: CliContext, server: string): Trust | undefined {
  const { hostname } = new URL(server);
  if (!/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) return undefined;
  const file = resolve(context.folder, context.env['DRAWBRIDGE_DATA'] || 'data', 'tls/cert.pem');
  return existsSync(file) ? { kind: 'own', file } : undefined;
}
