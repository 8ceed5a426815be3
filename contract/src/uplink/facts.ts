/** What a device reports about itself. The schemas limit the length of everything a device sends. */
import * as z from 'zod';
import { hardware } from '../hardware.ts';
import { truncatedList, list } from '../list.ts';

/** Control characters, line and paragraph separators, and bidirectional marks. */
const misleading = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Text from a device. Characters that could mislead a reader are removed, and text that is too long is cut. */
export const deviceText = (max: number) =>
  z.string().transform((text) =>
    truncate(
      text
        .slice(0, 4 * max)
        .toWellFormed()
        .replace(misleading, ''),
      max,
    ),
  );

/** Cuts between characters, never within one. */
const truncate = (text: string, max: number): string =>
  text.slice(0, /[\ud800-\udbff]/.test(text.charAt(max - 1)) ? max - 1 : max);

/** Facts that can change while the device runs. */
export const facts = z.object({
  name: deviceText(128).describe('Host name'),
  os: z.enum(['win', 'mac', 'linux', 'android']),
  os_user: deviceText(128),
  version: deviceText(32).describe('Version of the agent'),
  rdp: z.boolean().describe('A remote-desktop server is listening'),
  hibernate: z.boolean().describe('The device can sleep'),
  power_supply: z.boolean().describe('Running on mains power'),
  installed: z.boolean().describe('Installed as a service of the system'),
  addresses: list(deviceText(64), { max: 64 }).describe('Addresses of the network adapters'),
});
export type Facts = z.output<typeof facts>;

/** Identifies a machine, so that it is recognised after a reinstallation. */
export const fingerprint = z.object({
  machine_id: deviceText(128),
  serial: deviceText(128),
  macs: list(z.string().regex(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/), { max: 32 }),
});
export type Fingerprint = z.output<typeof fingerprint>;

const program = z.object({
  name: deviceText(256),
  version: deviceText(128),
  publisher: deviceText(256),
  install_date: deviceText(32),
});
export const software = list(program, { max: 10_000 });
export type Software = z.output<typeof software>;

/** The same shape as in the API, with a limit for every text and list. */
export const reportedHardware = bounded(hardware) as unknown as typeof hardware;

function bounded(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodObject)
    return z.object(
      Object.fromEntries(Object.entries(schema.shape).map(([key, each]) => [key, bounded(each)])),
    );
  if (schema instanceof z.ZodArray) return truncatedList(bounded(schema.element), 64);
  if (schema instanceof z.ZodString) return deviceText(256);
  if (schema instanceof z.ZodNumber) return z.number().min(-1e15).max(1e15);
  return schema as z.ZodType;
}
