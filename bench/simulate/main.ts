/** Simulates large deployments with measured constants: what is busy at rest, and what follows the loss of servers. */
import { parseArgs } from 'node:util';
import { toTextTable } from '../kit/table.ts';
import {
  simulate,
  type SimulatedDeployment,
  type SimulatedLoss,
  type SimulationResult,
} from './simulation.ts';

const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' } } });

/** Gateways and relays as the capacity model plans them (bench/capacity/model.ts). */
const sizeOf = (devices: number, databases: number): SimulatedDeployment => ({
  devices,
  sessions: devices / 100,
  requestsPerSecond: devices / 200,
  gateways: Math.max(2, devices / 10_000),
  relays: Math.max(2, Math.ceil(devices / 100 / 73)),
  apiNodes: 2,
  databases,
});

const oneGateway: SimulatedLoss = { gateways: 1, restartSeconds: Infinity, relay: true, seconds: 120 };
const allOf = (size: SimulatedDeployment): SimulatedLoss => ({
  gateways: size.gateways,
  restartSeconds: 5,
  relay: false,
  seconds: size.devices > 200_000 ? 60 : 240,
});

const sizes = [
  sizeOf(10_000, 1),
  sizeOf(100_000, 1),
  sizeOf(200_000, 1),
  sizeOf(1_000_000, 1),
  sizeOf(1_000_000, 6),
];

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
const seconds = (value: number | undefined): string =>
  value === undefined || Number.isNaN(value)
    ? 'never'
    : `${value < 10 ? value.toFixed(2) : value.toFixed(0)} s`;

const rowOf = (name: string, result: SimulationResult): string[] => [
  name,
  percent(result.rest.database),
  percent(result.rest.gateway),
  percent(result.rest.api),
  percent(result.staleAtRest),
  seconds(result.back90),
  seconds(result.backAll),
  percent(result.backAtEnd),
  String(result.gaveUp),
  String(result.wasted),
  seconds(result.longestQueue),
  seconds(result.changeWait.p99),
  String(result.busiestRelay),
  seconds(result.longestInterruption),
];

const head = [
  '',
  'database',
  'gateway',
  'API',
  'stale at rest',
  '90 % back',
  'all back',
  'back at the end',
  'gave up',
  'wasted',
  'longest queue',
  'change p99',
  'busiest relay',
  'session back',
];

const rows: string[][] = [];
for (const size of sizes) {
  const name = `${size.devices.toLocaleString('en')} devices on ${size.databases}`;
  const losses: [string, SimulatedLoss][] = [
    ['one gateway and one relay', oneGateway],
    ['all gateways', allOf(size)],
  ];
  for (const [what, loss] of losses) {
    const result = simulate(size, loss, Number(values.seed));
    const share = { ...result, staleAtRest: result.staleAtRest / size.devices };
    rows.push(rowOf(`${name}: ${what}`, share));
    console.log(rows.at(-1)!.join(' | '));
  }
}
console.log(`\n${toTextTable(head, rows)}`);
