/** The tables of the fleet benchmark: our server and the baseline, growth from the small to the large fleet, and the goals. */
import { formatNumber, toTextTable } from '../kit/table.ts';
import type { FleetResult } from './measure.ts';

/** The figures of each measurement; `undefined` if there is none. */
const figures: Record<string, (of: FleetResult) => number | undefined> = {
  'until all are online, s': ({ onlineSeconds }) => onlineSeconds,
  'CPU of the server per arrival, ms': ({ cpuMsPerArrival }) => cpuMsPerArrival,
  'memory per idle device, KB': ({ kbPerAgent }) => kbPerAgent,
  'CPU at rest, % of a core': ({ restPercent }) => restPercent,
  'command and answer, p50 ms': ({ command }) => command.p50,
  'command and answer, p99 ms': ({ command }) => command.p99,
  'all back after a crash, s': ({ afterCrash }) => afterCrash.seconds,
  'of these away, s': ({ afterCrash }) => afterCrash.awaySeconds,
  'API meanwhile, p99 ms': ({ afterCrash }) => afterCrash.api.p99,
  'all back after a planned restart, s': ({ afterStop }) => afterStop?.seconds,
  'of these away, s ': ({ afterStop }) => afterStop?.awaySeconds,
  'API meanwhile, p99 ms ': ({ afterStop }) => afterStop?.api.p99,
};

const cell = (value: number | undefined): string => (value === undefined ? '–' : formatNumber(value));
const ratio = (one: number | undefined, other: number | undefined): string =>
  one === undefined || other === undefined ? '–' : `${(one / other).toFixed(2)} ×`;

/** One row per figure: each fleet on our server and on the baseline, their ratio, and our growth. */
export function compareFleets(all: readonly FleetResult[]): { head: string[]; rows: string[][] } {
  const sizes = [...new Set(all.map(({ agents }) => agents))];
  const find = (name: FleetResult['name'], agents: number): FleetResult | undefined =>
    all.find((each) => each.name === name && each.agents === agents);
  const rows = Object.entries(figures).map(([what, figure]) => {
    const of = (name: FleetResult['name'], agents: number): number | undefined => {
      const found = find(name, agents);
      return found && figure(found);
    };
    const perSize = sizes.flatMap((agents) => {
      const [ours, bare] = [of('ours', agents), of('bare', agents)];
      return [cell(ours), cell(bare), ratio(ours, bare)];
    });
    return [what.trim(), ...perSize, ratio(of('ours', sizes.at(-1)!), of('ours', sizes[0]!))];
  });
  const titles = sizes.flatMap((agents) => [`ours ${agents.toLocaleString('en')}`, 'bare', 'ratio']);
  return { head: ['', ...titles, 'growth'], rows };
}

/** Each goal, the result with the larger fleet, and whether it is met. */
export function fleetGoals(all: readonly FleetResult[]): { head: string[]; rows: string[][] } {
  const largest = Math.max(...all.map(({ agents }) => agents));
  const [ours, bare] = (['ours', 'bare'] as const).map((name) =>
    all.find((each) => each.name === name && each.agents === largest),
  );
  const most = (what: string, aim: number, reached: number, unit: string): string[] => [
    what,
    `≤ ${aim} ${unit}`,
    `${formatNumber(reached)} ${unit}`,
    reached <= aim ? 'yes' : 'NO',
  ];
  if (!ours) return { head: [], rows: [] };
  const beside = bare ? besideGoals(ours, bare) : [];
  const rows = [
    ...beside.map(([what, aim, reached]) => most(what, aim, reached, '×')),
    most('memory per idle device', 50, ours.kbPerAgent, 'KB'),
    most('CPU of heartbeats, of a core', 5, ours.restPercent, '%'),
    ...[ours.afterCrash, ...(ours.afterStop ? [ours.afterStop] : [])].flatMap(({ seconds, api }, at) => [
      most(`all back after a ${at === 0 ? 'crash' : 'planned restart'}`, 75, seconds, 's'),
      most('API meanwhile, p99', 500, api.p99, 'ms'),
    ]),
  ];
  return { head: ['', 'aim', 'reached', ''], rows };
}

/** Goals beside the baseline: what, the greatest ratio, and the ratio. */
const besideGoals = (ours: FleetResult, bare: FleetResult): [string, number, number][] => [
  ['CPU per arrival, of bare', 1.2, ours.cpuMsPerArrival / bare.cpuMsPerArrival],
  ['command and answer through the API, p50, of bare', 2, ours.command.p50 / bare.command.p50],
];

export const toText = ({ head, rows }: ReturnType<typeof compareFleets>): string => toTextTable(head, rows);

export const toMarkdown = ({ head, rows }: ReturnType<typeof compareFleets>): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
