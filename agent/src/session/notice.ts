/** The banner on the device: one for all who are connected, there as long as one of them is, with a way to stop it. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Banner, Desktop } from '../platform/desktop.ts';
import type { Platform } from '../platform/platform.ts';

export interface Notice {
  /** Adds a line. Where there is no display now it says why, and the line is shown as soon as there is one. */
  show(line: string, onStop: () => void): Promise<ShownNotice>;
}

export interface ShownNotice {
  /** Takes the line away. */
  leave(): void;
  /** Why nobody sees it yet. */
  whyNot?: string;
}

interface Entry {
  line: string;
  onStop: () => void;
}

interface Shown {
  desktop: Desktop;
  banner: Banner;
}

/** While there is no display, that of whoever logs in next is looked for so often. */
const retryMs = 1_000;

export function createNotice(platform: Platform, log: (line: string) => void): Notice {
  const entries = new Set<Entry>();
  let shown: Promise<Shown> | undefined;
  let isRetrying = false;
  const text = (): string => [...entries].map(({ line }) => line).join('\n');

  const open = async (onLost: () => void): Promise<Shown> => {
    const desktop = await platform.desktop();
    try {
      const banner = await desktop.banner(text());
      banner.onStop(() => [...entries].forEach(({ onStop }) => onStop()));
      desktop.onClose(onLost);
      return { desktop, banner };
    } catch (error) {
      desktop.close();
      throw error;
    }
  };
  const isMissing = (): boolean => entries.size > 0 && shown === undefined;
  const retry = async (): Promise<void> => {
    if (isRetrying) return;
    isRetrying = true;
    while (isMissing()) {
      await pause(retryMs, undefined, { ref: false });
      // As long as nobody has logged in there is nobody to show it to.
      if (isMissing())
        await refresh().then(
          () => log('the banner is shown now'),
          () => {},
        );
    }
    isRetrying = false;
  };
  const refresh = async (): Promise<void> => {
    const isNew = shown === undefined;
    const opening: Promise<Shown> = (shown ??= open(() => {
      if (shown !== opening) return;
      shown = undefined;
      void retry();
    }));
    try {
      const { banner } = await opening;
      if (!isNew) banner.setText(text());
    } catch (error) {
      if (shown === opening) shown = undefined;
      throw error;
    }
  };
  const close = async (): Promise<void> => {
    const opening = shown?.catch(() => undefined);
    shown = undefined;
    const { desktop, banner } = (await opening) ?? {};
    banner?.close();
    desktop?.close();
  };

  return {
    async show(line, onStop) {
      const entry: Entry = { line, onStop };
      const leave = (): void => {
        if (!entries.delete(entry) || !shown) return;
        void (entries.size === 0 ? close() : refresh()).catch((error: unknown) => log(String(error)));
      };
      entries.add(entry);
      try {
        await refresh();
        return { leave };
      } catch (error) {
        void retry();
        return { leave, whyNot: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}
