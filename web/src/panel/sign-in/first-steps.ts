/** Which of the first steps are still shown to a new owner; kept in this browser. */
import { signal } from '@preact/signals';
import { readStored, writeStored } from '../stored-values.ts';

export const firstSteps = ['device', 'client', 'technician'] as const;
export type FirstStep = (typeof firstSteps)[number];

const storageKeyOf = (personId: number): string => `drawbridge.first-steps.${personId}`;

/** The steps in what was kept; whatever else may stand there is none. */
export const readSteps = (stored: string | null): FirstStep[] =>
  firstSteps.filter((step) => (stored ?? '').split(',').includes(step));

/** Moves with every change, so that what shows them is drawn anew. */
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
