/** Builds what a benchmark measures. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './server.ts';

/** Runs a script that builds: all bundles, unless another one is named. */
export function build(script: 'build.ts' | 'build-agent.ts' = 'build.ts'): void {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', script)], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`scripts/${script} failed.`);
}
