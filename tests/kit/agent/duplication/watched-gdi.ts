/** Counts and refuses calls of GDI in a program that uses the double of desktop duplication. */
import type { NativeFunction, WindowsApi } from '@drawbridge/agent/platform/windows/api/windows-api';
import type { DuplicationDouble } from './double.ts';

interface WatchedGdi {
  /** Whether bitmaps are refused, and how often that happened. */
  isRefused: boolean;
  refusals: number;
  /** How many device contexts were not released. */
  contexts: number;
  /** How many views of memory were made. */
  views: number;
  /** How many strips of the screen were copied. */
  copies: number;
  /** Whether that happened between the first duplication and its first frame. */
  isCopiedAfterDuplication: boolean;
}

/** The functions of the double, and what they count. */
export function watchGdi({ api, duplications, frames }: DuplicationDouble): {
  api: WindowsApi;
  gdi: WatchedGdi;
} {
  const gdi = {
    isRefused: false,
    refusals: 0,
    contexts: 0,
    views: 0,
    copies: 0,
    isCopiedAfterDuplication: false,
  };
  const counted = <Result>(call: NativeFunction<Result>, count: number): NativeFunction<Result> =>
    watched(call, () => void (gdi.contexts += count));
  const watchedApi: WindowsApi = {
    ...api,
    GetDC: counted(api.GetDC, 1),
    ReleaseDC: counted(api.ReleaseDC, -1),
    CreateCompatibleDC: counted(api.CreateCompatibleDC, 1),
    DeleteDC: counted(api.DeleteDC, -1),
    CreateDIBSection: watched(api.CreateDIBSection, () => {
      if (!gdi.isRefused) return undefined;
      gdi.refusals += 1;
      return 0;
    }),
    BitBlt: watched(api.BitBlt, () => {
      gdi.copies += 1;
      if (duplications() === 1 && frames() === 0) gdi.isCopiedAfterDuplication = true;
    }),
    memory(address, length) {
      gdi.views += 1;
      return api.memory(address, length);
    },
  };
  return { api: watchedApi, gdi };
}

/** Calls `before` first, whose result takes the place of the call's own. */
export const watched = <Result>(
  call: NativeFunction<Result>,
  before: () => NoInfer<Result> | void,
): NativeFunction<Result> =>
  Object.assign((...values: Parameters<typeof call>) => (before() as Result | undefined) ?? call(...values), {
    async: async (...values: Parameters<typeof call>) =>
      (before() as Result | undefined) ?? call.async(...values),
  });
