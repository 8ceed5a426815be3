/** Reads the sessions of the login manager. */
import type { Execute } from '../../execute.ts';

/** Returns these properties of every session; rejects if no login manager answers in time. */
export async function loginsOf<Property extends string>(
  execute: Execute,
  properties: readonly Property[],
  timeoutMs: number,
): Promise<Partial<Record<Property, string>>[]> {
  const listed = await execute('loginctl', ['list-sessions', '--no-legend'], timeoutMs);
  const ids = (listed ?? '').split('\n').flatMap((line) => line.trim().split(/\s+/)[0] || []);
  if (ids.length === 0) return [];
  const propertyArgs = properties.flatMap((property) => ['-p', property]);
  const shown = await execute('loginctl', ['show-session', ...propertyArgs, ...ids], timeoutMs);
  return (shown ?? '').split('\n\n').map(readProperties);
}

const readProperties = <Property extends string>(block: string): Partial<Record<Property, string>> =>
  Object.fromEntries(
    block
      .trim()
      .split('\n')
      .map((line) => line.split('=', 2)),
  ) as Partial<Record<Property, string>>;
