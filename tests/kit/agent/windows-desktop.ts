/** A Windows desktop under Wine with the agent as it is shipped, and operators in a real browser. */
import type { DesktopFixture, StartAgent } from '../display/desktop-fixture.ts';
import { missingPrograms, openDesktopFixture } from '../display/desktop-fixture.ts';
import type { Program } from '../process.ts';
import { skipWithout } from '../requirements.ts';
import { buildWindowsFile } from './single-file.ts';
import { openWine, type WineSystem } from './wine.ts';

/** Wine's `cmd.exe` ends at once unless its input and output are those of the console. */
const shellUnderWine = 'cmd.exe /c "cmd.exe <CON >CON 2>&1"';

export interface WindowsDesktop extends DesktopFixture {
  windows: WineSystem;
  /** Starts a Windows program on the desktop; it ends with the system. */
  start(program: string, ...args: string[]): Program;
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
  const fixture = await openDesktopFixture({ startAgent });
  return {
    ...fixture,
    windows,
    start: (name, ...args) => windows.start(name, args, { DISPLAY: fixture.display.name }),
  };
}
