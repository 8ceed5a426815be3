/** What clients were told that the server has stored, and what they asked for and never heard of again. */

export type Kind = 'group' | 'role' | 'department' | 'invitation' | 'agent' | 'grant';

/** `there` and `gone` were acknowledged; `doubtful` is what was asked to go when the server died. */
export type Fate = 'there' | 'gone' | 'doubtful';

export interface Thing {
  kind: Kind;
  /** What tells it from all others of its kind, whether or not its creation was acknowledged. */
  name: string;
  fate: Fate;
  /** The number it was given; unknown while its creation was not acknowledged. */
  id?: number;
  /** The name it was asked to take when the server died. */
  renamed?: string;
  /** Things without which it goes too. */
  hangsOn?: Thing[];
}

export interface Ledger {
  things: Thing[];
  /** Asked to be made, and never heard of again. */
  lost: Thing[];
  acknowledged: number;
}

export const createLedger = (): Ledger => ({ things: [], lost: [], acknowledged: 0 });

/** What was found of a kind: by name, with the number it has. */
export type Found = Record<Kind, Map<string, number>>;

/** Compares what was promised with what is there; every broken promise in words. Doubts are settled by what is there. */
export function settle(ledger: Ledger, found: Found): string[] {
  for (const thing of ledger.lost) if (found[thing.kind].has(thing.name)) adopt(ledger, thing, found);
  ledger.lost = [];
  const broken = ledger.things.flatMap((thing) => settleOne(thing, found[thing.kind]));
  ledger.things = ledger.things.filter((thing) => thing.fate === 'there');
  return broken;
}

function adopt(ledger: Ledger, thing: Thing, found: Found): void {
  ledger.things.push({ ...thing, fate: 'there', id: found[thing.kind].get(thing.name)! });
}

function settleOne(thing: Thing, found: Map<string, number>): string[] {
  if (thing.renamed !== undefined && found.has(thing.renamed)) thing.name = thing.renamed;
  delete thing.renamed;
  const isThere = found.has(thing.name);
  if (thing.fate === 'doubtful') thing.fate = isThere ? 'there' : 'gone';
  const mayBeGone = thing.hangsOn?.some((each) => each.fate !== 'there') ?? false;
  const called = `${thing.kind} ${thing.name}`;
  if (thing.fate === 'gone') return isThere ? [`${called} was removed and is there`] : [];
  if (!isThere) {
    thing.fate = 'gone';
    return mayBeGone ? [] : [`${called} was acknowledged and is not there`];
  }
  const isSame = thing.id === undefined || thing.id === found.get(thing.name);
  return isSame ? [] : [`${called} has another number`];
}
