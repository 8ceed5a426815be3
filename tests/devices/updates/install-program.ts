/** Installs a release and kills itself with SIGKILL after the named step: argv is the step, then the options as JSON. */
import { installRelease, type InstallOptions } from '@drawbridge/agent/update/install-release';

const [lastStep, options] = process.argv.slice(2) as [string, string];

await installRelease({
  ...(JSON.parse(options) as InstallOptions),
  now: () => Math.floor(Date.now() / 1_000),
  freeBytes: async () => 1_000_000_000,
  untilIdle: async () => {},
  onStep(step) {
    if (step === lastStep) process.kill(process.pid, 'SIGKILL');
  },
});
