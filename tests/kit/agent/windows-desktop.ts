/** A Windows desktop under Wine with the agent as it is shipped, and operators in a real browser. */
import type { DesktopFixture, StartAgent } from '../display/desktop-fixture.ts';
import { missingPrograms, openDesktopFixture } from '../display/desktop-fixture.ts';
import { skipWithout } from '../requirements.ts';
import { shellUnderWine } from './shell-under-wine.ts';
import { buildWindowsFile } from './single-file.ts';
import { openWine, type WineSystem } from './wine.ts';

export interface WindowsDesktop extends DesktopFixture {
  windows: WineSystem;
}

export const missingWindowsPrograms = (): string | false => missingPrograms() || skipWithout('Wine');

export async function openWindowsDesktop(): Promise<WindowsDesktop> {
  const program = await buildWindowsFile();
  const windows = openWine();
  const startAgent: StartAgent = ({ server, token, display }) => {
    const env = { DISPLAY: display.name, DRAWBRIDGE_AGENT_SHELL: shellUnderWine };
    const agent = windows.start(program, ['run', '--service', '--server', server, '--token', token], env);
    return { ...agent, [Symbol.asyncDispose]: () => windows[Symbol.asyncDispose]() };
  };
  return { ...(await openDesktopFixture({ startAgent })), windows };
}
