/** What the browser says about the machine it runs on: which system, and what it can do for a session. */
import type { LobbyUp } from '@drawbridge/contract/session/lobby';

export type System = Extract<LobbyUp, { kind: 'join' }>['os'];

export interface BrowserInfo {
  system: System;
  /** A telephone or a tablet: it has no programs of ours, and its browsers can not share its screen. */
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

/** A tablet of Apple calls itself a Macintosh; no Macintosh has a touch screen. */
const isTablet = ({ userAgent, maxTouchPoints }: UserAgentInfo): boolean =>
  userAgent.includes('Macintosh') && maxTouchPoints > 1;

export function systemOf(info: UserAgentInfo): System {
  if (isTablet(info)) return '';
  return patterns.find(([mark]) => mark.test(info.userAgent))?.[1] ?? '';
}

export function toBrowserInfo(navigator: Navigator): BrowserInfo {
  const { mediaDevices, userAgent } = navigator as { mediaDevices?: MediaDevices; userAgent: string };
  const isHandheld = /Android|iPhone|iPad|iPod/.test(userAgent) || isTablet(navigator);
  return {
    system: systemOf(navigator),
    isHandheld,
    // Some browsers of telephones have the word, and refuse the deed.
    canShare: !isHandheld && typeof mediaDevices?.getDisplayMedia === 'function',
    canTalk: typeof mediaDevices?.getUserMedia === 'function' && typeof AudioWorkletNode === 'function',
  };
}
