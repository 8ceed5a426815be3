/** Benchmark of the agent's work for each picture of a film: CPU time of comparing and encoding, without display, network and browser. */
import { parseArgs } from 'node:util';
import { createEncoder, type Encoder } from '@drawbridge/agent/screen/encoder';
import type { Quality } from '@drawbridge/agent/screen/quality-profiles';
import { createRateController } from '@drawbridge/agent/screen/rate-controller';
import { benchScreenSizes, type BenchScreenSize } from '../screen/marks.ts';
import { onQuietMachine } from '../kit/quiet.ts';
import { motion } from '../screen/motion.ts';

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '1080,2160' },
    pictures: { type: 'string', default: '120' },
  },
});

/** The agent recognizes the film, and its code is compiled, before pictures count. */
const warmPictures = 40;
const frameMs = 33;
const exactRounds = 5;

interface Film {
  encoder: Encoder;
  show(pictures: number): Promise<void>;
  /** Makes the last picture exact, as after the end of the film. */
  finish(): Promise<void>;
}

async function openFilm(size: BenchScreenSize, quality: Quality): Promise<Film> {
  const pictures = [...motion(size)];
  const round = [...pictures, ...pictures.slice(1, -1).toReversed()];
  const rateController = createRateController();
  let [now, number] = [1_000, 0];
  const encoder = await createEncoder(size, { rateController, video: true, clock: () => now });
  encoder.configure({ quality, half: true, h264: true });
  return {
    encoder,
    async show(count) {
      for (const end = number + count; number < end; now += frameMs) {
        const words = round[(number += 1) % round.length]!;
        rateController.sent(number, now);
        rateController.shown(number, now + 1);
        await encoder.take([{ box: { x: 0, y: 0, ...size }, words, offset: 0, stride: size.width }], now);
      }
    },
    async finish() {
      for (now += 100; encoder.refineDueAt() !== undefined;) await encoder.refine(now, 100);
    },
  };
}

/** CPU time of the main thread and of all threads. */
interface Milliseconds {
  main: number;
  all: number;
}

async function measure(work: () => Promise<void>, count: number): Promise<Milliseconds> {
  const [mainBefore, allBefore] = [process.threadCpuUsage(), process.cpuUsage()];
  await work();
  const [main, all] = [process.threadCpuUsage(mainBefore), process.cpuUsage(allBefore)];
  return { main: (main.user + main.system) / 1_000 / count, all: (all.user + all.system) / 1_000 / count };
}

/** The mean over several films that end. */
async function measureExact(film: Film): Promise<Milliseconds> {
  const sum: Milliseconds = { main: 0, all: 0 };
  for (let round = 0; round < exactRounds; round += 1) {
    await film.show(warmPictures);
    const { main, all } = await measure(() => film.finish(), exactRounds);
    [sum.main, sum.all] = [sum.main + main, sum.all + all];
  }
  return sum;
}

const toText = ({ main, all }: Milliseconds): string => `${main.toFixed(1)} · ${all.toFixed(1)}`;

async function measureFilms(): Promise<void> {
  console.log('CPU ms of the main thread · of all threads:');
  for (const name of values.size.split(','))
    for (const quality of ['fast', 'sharp'] as const) {
      const film = await openFilm(benchScreenSizes[name]!, quality);
      await film.show(warmPictures);
      const count = Number(values.pictures);
      const picture = await measure(() => film.show(count), count);
      const exact = await measureExact(film);
      film.encoder.close();
      const title = `${name} at ${quality === 'fast' ? 'half' : 'full'} size`;
      console.log(`${title}: a picture ${toText(picture)}, the last one exact ${toText(exact)}`);
    }
}

await onQuietMachine(measureFilms);
