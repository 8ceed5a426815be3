/** The suggestions that a new owner has not dismissed yet, stored in the browser. */
import { signal } from '@preact/signals';
import { readStored, writeStored } from '../stored-values.ts';

export const firstSteps = ['device', 'client', 'technician'] as const;
export type FirstStep = (typeof firstSteps)[number];

const storageKeyOf = (personId: number): string => `drawbridge.first-steps.${personId}`;

/** Parses the stored steps; unknown values are ignored. */
export const readSteps = (stored: string | null): FirstStep[] =>
  firstSteps.filter((step) => (stored ?? '').split(',').includes(step));

/** Changes with every write, so that components render again. */
const changes = signal(0);

export function stepsLeft(personId: number): FirstStep[] {
  void changes.value;
  return readSteps(readStored(storageKeyOf(personId)));
}

function saveSteps(personId: number, steps: readonly FirstStep[]): void {
  writeStored(storageKeyOf(personId), steps.join(','));
  changes.value += 1;
}

export const beginFirstSteps = (personId: number): void => saveSteps(personId, firstSteps);

export const dismissSteps = (personId: number, dismissed: readonly FirstStep[]): void =>
  saveSteps(
    personId,
    stepsLeft(personId).filter((step) => !dismissed.includes(step)),
  );
