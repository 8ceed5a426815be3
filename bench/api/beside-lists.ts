/** Small reads while one client lists 10,000 devices over and over and another changes devices. */
import { setOnline, type SeededFleet } from '../kit/fleet.ts';
import { runLoad, type LoadResult } from '../kit/load.ts';
import { startMeasuredServer } from '../kit/server.ts';
import { type BenchCase, toLoadTarget, type ServerUnderLoad } from './cases.ts';
import { openClient } from './run-case.ts';

export const besideLists = 'agents/info beside lists of 10,000 and changes';

const connections = 4;

export async function readsBesideLists(
  folder: string,
  fleets: readonly SeededFleet[],
  cases: readonly BenchCase[],
  seconds: number,
): Promise<LoadResult & { lists: number; changes: number }> {
  await using server = await startMeasuredServer({ folder });
  await setOnline(folder, fleets);
  const under: ServerUnderLoad = { pid: server.pid, origin: `https://127.0.0.1:${server.port}`, headers: {} };
  const targetOf = (operation: string) =>
    toLoadTarget(
      cases.find(({ name }) => name === operation)!,
      under,
    );
  using lister = openClient(targetOf('agents/list of 10,000'));
  using changer = openClient(targetOf('agents/list of 10,000'));
  const changed = fleets[1]!.agentIds[1]!;
  const over = new AbortController();
  const repeat = async (work: (turn: number) => Promise<void>): Promise<number> => {
    let turn = 0;
    for (; !over.signal.aborted; turn += 1) await work(turn);
    return turn;
  };
  await runLoad(targetOf('agents/list of 10,000'), { connections: 1, seconds: 2 }); // warm
  const loops = Promise.all([repeat(() => lister.read()), repeat((turn) => changer.change(changed, turn))]);
  const result = await runLoad(targetOf('agents/info'), { connections, seconds });
  over.abort();
  const [lists, changes] = await loops;
  return { ...result, lists, changes };
}
