/** Runs on Windows: files and a terminal; prints the report of the suite as JSON. */
import { mkdirSync } from 'node:fs';
import { createDryRun } from '@drawbridge/agent/platform/execute';
import { windows } from '@drawbridge/agent/platform/windows';
import { shellUnderWine } from '../../kit/agent/shell-under-wine.ts';
import { exerciseAccess } from './exercise-access.ts';

async function main(): Promise<void> {
  process.env['DRAWBRIDGE_AGENT_SHELL'] = shellUnderWine;
  mkdirSync('C:\\suite');
  const report = await exerciseAccess(windows(createDryRun(() => {})), {
    folder: '/C:/suite',
    command: 'echo from-%OS%',
    printed: 'from-Windows_NT',
  });
  console.log(`RESULTS ${JSON.stringify(report)}`);
  process.exit(0);
}

void main();
