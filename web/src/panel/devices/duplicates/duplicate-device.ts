/** The type of a device that may be a duplicate of another. */
import type { OutputOf } from '../../api.ts';

export type DuplicateDevice = OutputOf<'v1/agents/duplicates'>['data'][number]['source'];
