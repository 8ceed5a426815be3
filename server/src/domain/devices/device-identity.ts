/** Rules about machines: when a key has been copied, and which devices look like one machine installed twice. */

/**
 * A device presents the latest secret it was given, or the previous one if it did not store the latest. A secret that
 * was replaced for good is presented only by a copy.
 */
export const isCopied = (presented: string, current: string, next: string): boolean =>
  presented !== current && !isLatestEpoch(presented, next) && (current !== '' || next !== '');

/**
 * Whether a device presents the latest secret. Once that is stored, none is outstanding, and an empty text does not
 * count.
 */
export const isLatestEpoch = (presented: string, next: string): boolean => next !== '' && presented === next;

export type DuplicateReason = 'machine_id' | 'serial' | 'mac';

export interface Machine {
  id: number;
  machineId: string;
  serial: string;
  macs: readonly string[];
  lastTime: number;
}

/** Serial numbers that makers leave unchanged in every machine. */
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
  /** The duplicate: the one that was seen less recently. */
  source: M;
  target: M;
  because: DuplicateReason[];
}

/** The pairs that look like one machine. Only machines that share a value are compared, so that many devices stay fast. */
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

/** How long an enrolment token works by default, and at most. */
export const enrolmentLifetime = 86_400;
export const maxEnrolmentLifetime = 366 * 86_400;
