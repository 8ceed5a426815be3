/** The disk of a server on SQLite is full under load, and has space again. */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '../../kit/eventually.ts';
import { mountSmallDisk } from '../../kit/nodes/small-disk.ts';
import { firstApiKey, startServerProcess } from '../../kit/process.ts';
import { createPersonAt } from '../../kit/server/person-at.ts';
import { startApiLoad } from './api-load.ts';
import { atMost, exactly, type Figure, type Scenario } from './scenario.ts';

const fullMs = 10_000;
const afterwardsMs = 5_000;

/** Only changes may fail, and only with 503. */
function refusalFigure(outcomes: Record<string, number>, requests: number): Figure {
  const others = Object.keys(outcomes).filter((outcome) => outcome !== '503');
  return {
    name: 'requests that were refused while the disk was full',
    value: `${outcomes['503'] ?? 0} of ${requests} with 503; others: ${others.join(', ') || 'none'}`,
    aim: '503 only, and only changes (one in ten)',
    reached: others.length === 0 && (outcomes['503'] ?? 0) <= requests / 10 + 1,
  };
}

const diskFull: Scenario = async () => {
  using disk = mountSmallDisk(24);
  await using server = await startServerProcess({}, { folder: disk.folder });
  const owner = createPersonAt(server.url, firstApiKey(server), server.folder);
  const certFile = join(server.folder, 'tls/cert.pem');
  const create = async (): Promise<number> =>
    (await owner.call('groups/create', { name: `group ${crypto.randomUUID()}` })).http;
  const load = startApiLoad({ url: server.url, certFile, apiKey: owner.apiKey, perSecond: 50 });
  await wait(2_000);
  disk.fill();
  // The log of SQLite still has room.
  let created = 0;
  while ((await create()) === 200) created += 1;
  const fullAt = performance.now();
  await wait(fullMs);
  disk.free();
  const freedAt = performance.now();
  await eventually(create, (http) => http === 200);
  const [writesAfter, summary] = [performance.now() - freedAt, await load.stop(fullAt)];
  await wait(afterwardsMs);
  const { body } = await owner.call('groups/list');
  return [
    refusalFigure(summary.outcomes, summary.requests),
    atMost('changes are stored again after', writesAfter, 5_000),
    exactly('acknowledged changes that are missing', created + 1 - (body['data'] as unknown[]).length, 0),
  ];
};

export const diskFaults = { 'disk-full': diskFull } as const;
