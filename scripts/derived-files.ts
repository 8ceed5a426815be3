/** The committed files that are derived from the contract, the settings, the migrations or themselves: their paths and contents. */
import { readFileSync } from 'node:fs';
import { manual, type Examples } from '@drawbridge/contract/documents/manual';
import { openapi } from '@drawbridge/contract/documents/openapi';
import { typescript } from '@drawbridge/contract/documents/typescript';
import { v1 } from '@drawbridge/contract/v1/index';
import { relayUnit, serverUnit } from '../cli/src/service/server-unit.ts';
import { settingsManual } from '@drawbridge/server/config/manual';
import { withTables } from './architecture-tables.ts';
import { withoutEngineWarnings } from './lock-engines.ts';
import { newSqliteSchema } from './schema-dump.ts';

export const projectRoot = new URL('../', import.meta.url);

const { version } = JSON.parse(readFileSync(new URL('package.json', projectRoot), 'utf8')) as {
  version: string;
};

const launcher = ['/usr/bin/node', '/opt/drawbridge/cli/bin/drawbridge.cjs'];

/** Path below the project root → content. */
export const derivedFiles: Record<string, () => string> = {
  'docs/openapi.json': () => `${JSON.stringify(openapi(v1, { version }), null, 2)}\n`,
  'docs/api.md': () => manual(v1, readExamples()),
  'docs/settings.md': settingsManual,
  'deploy/systemd/drawbridge.service': () => serverUnit(launcher),
  'deploy/systemd/drawbridge-relay.service': () => relayUnit(launcher),
  'docs/schema.sqlite.sql': newSqliteSchema,
  'sdk/src/operations.ts': () => typescript(v1),
  'ARCHITECTURE.md': () => withTables(readCommitted('ARCHITECTURE.md')),
  'package-lock.json': () => withoutEngineWarnings(readCommitted('package-lock.json')),
};

/** The examples of the manual, taken from a run by `tests/conformance/examples.test.ts`. */
export const examplesFile = 'docs/api-examples.json';

export const readExamples = (): Examples => JSON.parse(readCommitted(examplesFile)) as Examples;

/** The current content, or an empty string if the file does not exist. */
export function readCommitted(path: string): string {
  try {
    return readFileSync(new URL(path, projectRoot), 'utf8');
  } catch {
    return '';
  }
}
