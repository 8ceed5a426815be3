/** Rules about machines: when a key has been copied, and which devices look like one machine installed twice. */

/**
 * A device shows the secret it was given last. It may not have got as far as keeping it, then it shows the one before;
 * but one that was replaced for good is shown only by a copy.
 */
export const isCopied = (presented: string, current: string, next: string): boolean =>
  presented !== current && !isLatestEpoch(presented, next) && (current !== '' || next !== '');

/** Whether a device shows what it was given last. Once that is kept nothing is left to show, and nothing is not it. */
export const isLatestEpoch = (presented: string, next: string): boolean => next !== '' && presented === next;

export type DuplicateReason = 'machine_id' | 'serial' | 'mac';

export interface Machine {
  id: number;
  machineId: string;
  serial: string;
  macs: readonly string[];
  lastTime: number;
}

/** Serial numbers that makers leave as they are in every machine. */
const placeholderSerial =
  /^(|0+|none|default string|to be filled by o\.?e\.?m\.?|system serial number|not specified)$/i;

/** Why two devices may be one machine. */
export function duplicateReasons(one: Machine, other: Machine): DuplicateReason[] {
  const same = (a: string, b: string): boolean => a === b && !placeholderSerial.test(a.trim());
  return [
    ...(same(one.machineId, other.machineId) ? (['machine_id'] as const) : []),
    ...(same(one.serial, other.serial) ? (['serial'] as const) : []),
    ...(one.macs.some((mac) => other.macs.includes(mac)) ? (['mac'] as const) : []),
  ];
}

export interface DuplicatePair<M extends Machine> {
  /** The one that was seen less lately: the duplicate. */
  source: M;
  target: M;
  because: DuplicateReason[];
}

/** The pairs that look like one machine. Compared only where they share something, so that many devices stay quick. */
export function findDuplicates<M extends Machine>(machines: readonly M[]): DuplicatePair<M>[] {
  const byIdentifier = new Map<string, M[]>();
  for (const machine of machines)
    for (const identifier of [machine.machineId, machine.serial, ...machine.macs].filter(
      (each) => !placeholderSerial.test(each.trim()),
    ))
      byIdentifier.set(identifier, [...(byIdentifier.get(identifier) ?? []), machine]);
  const pairs = new Map<string, DuplicatePair<M>>();
  for (const matching of byIdentifier.values()) {
    const [target, ...others] = matching.toSorted((a, b) => b.lastTime - a.lastTime || b.id - a.id);
    for (const source of others)
      pairs.set(`${source.id}:${target!.id}`, {
        source,
        target: target!,
        because: duplicateReasons(source, target!),
      });
  }
  return [...pairs.values()].filter((pair) => pair.because.length > 0 && pair.source.id !== pair.target.id);
}

/** How long an enrolment token works when nothing else is said, and at the longest. */
export const enrolmentLifetime = 86_400;
export const maxEnrolmentLifetime = 366 * 86_400;
