/** Detects the operating system and the abilities of the browser. */
import type { LobbyUp } from '@drawbridge/contract/session/lobby';

export type System = Extract<LobbyUp, { kind: 'join' }>['os'];

export interface BrowserInfo {
  system: System;
  /** A phone or a tablet: the program does not run there, and its browsers cannot share the screen. */
  isHandheld: boolean;
  canShare: boolean;
  canTalk: boolean;
}

type UserAgentInfo = Pick<Navigator, 'userAgent' | 'maxTouchPoints'>;

const patterns: readonly (readonly [RegExp, System])[] = [
  [/Android/, 'android'],
  [/iPhone|iPad|iPod/, ''],
  [/Windows/, 'win'],
  [/Macintosh/, 'mac'],
  [/Linux|X11|CrOS/, 'linux'],
];

/** An iPad reports itself as a Macintosh, but no Macintosh has a touch screen. */
const isTablet = ({ userAgent, maxTouchPoints }: UserAgentInfo): boolean =>
  userAgent.includes('Macintosh') && maxTouchPoints > 1;

export function systemOf(info: UserAgentInfo): System {
  if (isTablet(info)) return '';
  return patterns.find(([pattern]) => pattern.test(info.userAgent))?.[1] ?? '';
}

export function toBrowserInfo(navigator: Navigator): BrowserInfo {
  const { mediaDevices, userAgent } = navigator as { mediaDevices?: MediaDevices; userAgent: string };
  const isHandheld = /Android|iPhone|iPad|iPod/.test(userAgent) || isTablet(navigator);
  return {
    system: systemOf(navigator),
    isHandheld,
    // Some phone browsers have the function but reject every call.
    canShare: !isHandheld && typeof mediaDevices?.getDisplayMedia === 'function',
    canTalk: typeof mediaDevices?.getUserMedia === 'function' && typeof AudioWorkletNode === 'function',
  };
}
