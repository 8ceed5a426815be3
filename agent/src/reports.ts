/** What a connected device tells of itself: facts when they change, the hardware at first, on change and daily. */
import type { Facts } from '@drawbridge/contract/uplink/facts';
import type { Talk } from './connection.ts';
import type { Platform } from './platform/platform.ts';

interface Sources {
  /** What was told already, when the connection was made. */
  facts: Facts;
  platform: Platform;
  now(): Promise<Facts>;
  log(line: string): void;
}

const factsEveryMs = 30_000;
const hardwareEveryMs = 3_600_000;
/** Told again after a day even if nothing changed. */
const longestSilenceMs = 86_400_000;

export function startReports(talk: Talk, { facts, platform, now, log }: Sources): { stop(): void } {
  let told = JSON.stringify(facts);
  let [hardwareTold, hardwareAt] = ['', 0];

  const tellFacts = async (): Promise<void> => {
    const current = await now();
    if (JSON.stringify(current) === told) return;
    talk.facts(current);
    told = JSON.stringify(current);
  };
  const tellHardware = async (): Promise<void> => {
    const current = await platform.hardware();
    const text = JSON.stringify(current);
    if (text === hardwareTold && performance.now() - hardwareAt < longestSilenceMs) return;
    talk.hardware(current);
    [hardwareTold, hardwareAt] = [text, performance.now()];
  };
  const attempt = (tell: () => Promise<void>): void =>
    void tell().catch((error: unknown) => log(`could not report what changed: ${String(error)}`));

  attempt(tellHardware);
  const timers = [
    setInterval(attempt, factsEveryMs, tellFacts),
    setInterval(attempt, hardwareEveryMs, tellHardware),
  ];
  return { stop: () => timers.forEach((timer) => clearInterval(timer)) };
}
