/** Reports of a connected device: facts when they change; hardware at first, on change and once a day. */
import type { Facts } from '@drawbridge/contract/uplink/facts';
import type { UplinkHandle } from './connection.ts';
import type { Platform } from '../platform/platform.ts';

interface ReportSources {
  /** The facts that were sent when the connection was established. */
  facts: Facts;
  platform: Platform;
  now(): Promise<Facts>;
  log(line: string): void;
}

const factsEveryMs = 30_000;
const hardwareEveryMs = 3_600_000;
/** The hardware is reported again after this time even if nothing changed. */
const maxSilenceMs = 86_400_000;

export function startReports(
  uplink: UplinkHandle,
  { facts, platform, now, log }: ReportSources,
): { stop(): void } {
  let sentFacts = JSON.stringify(facts);
  let [sentHardware, hardwareAt] = ['', 0];

  const reportFacts = async (): Promise<void> => {
    const current = await now();
    if (JSON.stringify(current) === sentFacts) return;
    uplink.sendFacts(current);
    sentFacts = JSON.stringify(current);
  };
  const reportHardware = async (): Promise<void> => {
    const current = await platform.hardware();
    const text = JSON.stringify(current);
    if (text === sentHardware && performance.now() - hardwareAt < maxSilenceMs) return;
    uplink.sendHardware(current);
    [sentHardware, hardwareAt] = [text, performance.now()];
  };
  const attempt = (report: () => Promise<void>): void =>
    void report().catch((error: unknown) => log(`could not report what changed: ${String(error)}`));

  attempt(reportHardware);
  const timers = [
    setInterval(attempt, factsEveryMs, reportFacts),
    setInterval(attempt, hardwareEveryMs, reportHardware),
  ];
  return { stop: () => timers.forEach((timer) => clearInterval(timer)) };
}
