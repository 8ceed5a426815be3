/** Starts what the admission of an operator needs from the device when the grant arrives, while the operator still connects. */
import type { Facts } from '@drawbridge/contract/uplink/facts';
import type { Platform } from '../platform/platform.ts';

interface AboutDevice extends Pick<Facts, 'os'> {
  home: string;
}

export interface Preparation {
  /** What the operator is told about the device. */
  about: Promise<AboutDevice>;
  /** Closes the display that was opened. */
  release(): void;
}

/** `opensDesktop`: false where a second person must approve the session first. */
export function prepareAdmission(platform: Platform, opensDesktop = true): Preparation {
  const about = readAbout(platform);
  // The admission reports the error, if it comes to that.
  about.catch(() => {});
  // The banner, the question for consent and the screen share its connection.
  const desktop = opensDesktop ? platform.desktop().catch(() => undefined) : Promise.resolve(undefined);
  return { about, release: () => void desktop.then((opened) => opened?.close()) };
}

async function readAbout(platform: Platform): Promise<AboutDevice> {
  const [{ os }, files] = await Promise.all([platform.facts(), platform.files().catch(() => undefined)]);
  return { os, home: files?.home ?? '' };
}
