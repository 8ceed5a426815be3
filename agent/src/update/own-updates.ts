/** The updates of this agent, if it is the single file, installed in slots. */
import { setTimeout as pause } from 'node:timers/promises';
import type { AgentOptions } from '../agent.ts';
import { hasApprovers } from '../four-eyes/approvers.ts';
import { ownProgramFolder } from '../service/program.ts';
import { mayLookForRelease, type AgentState } from '../state.ts';
import { proxyOptions } from '../uplink/proxy.ts';
import { agentVersion } from '../version.ts';
import { freeBytesOf } from './install-release.ts';
import { ownReleaseKey } from './own-release-key.ts';
import { createSelfUpdates, type SelfUpdatesOptions } from './self-updates.ts';

const systems: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'linux',
  win32: 'windows',
  darwin: 'macos',
};

/** How often to look whether the last operator has left. */
const idleCheckMs = 2_000;

interface OwnUpdatesOptions extends Pick<SelfUpdatesOptions, 'stateFolder' | 'restart' | 'log'> {
  state: AgentState;
}

export function ownUpdates({ state, ...options }: OwnUpdatesOptions): Pick<AgentOptions, 'createUpdates'> {
  const [folder, releaseKey] = [ownProgramFolder(), ownReleaseKey()];
  if (folder === undefined || releaseKey === undefined) return {};
  return {
    createUpdates: (sessions) =>
      createSelfUpdates({
        ...options,
        folder,
        releaseKey,
        running: agentVersion,
        system: { os: systems[process.platform] ?? process.platform, arch: process.arch },
        server: () => ({ url: state.server, agent: proxyOptions(state.server, process.env).agent }),
        isAllowed: () => mayLookForRelease(state) && !hasApprovers(options.stateFolder),
        random: Math.random,
        now: () => Math.floor(Date.now() / 1_000),
        freeBytes: freeBytesOf,
        async untilIdle() {
          while (!(await sessions.isIdle())) await pause(idleCheckMs, undefined, { ref: false });
        },
      }),
  };
}
