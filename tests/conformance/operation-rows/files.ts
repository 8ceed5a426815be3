/** Test rows: files attached to devices. */
import type { files } from '@drawbridge/contract/v1/files';
import { byAgentId, byFile, withName } from './requests.ts';
import type { FurtherRow, RowsOf } from './row.ts';
import { needsDevice, anyOnDevice } from './rules.ts';

export const filesRows: RowsOf<typeof files, FurtherRow> = {
  'agents/files/list': {
    signature: 'GET query plain agent_id offset limit',
    request: byAgentId,
    outcome: anyOnDevice,
    names: { agent_id: 'agent' },
  },
  'agents/files/add': {
    signature: 'POST query numbered agent_id name type note',
    request: withName('name', byAgentId),
    file: Buffer.from('the bytes of a file'),
    outcome: needsDevice('agent_change_settings'),
    names: { agent_id: 'agent' },
  },
  'agents/files/remove': {
    signature: 'POST body numbered id',
    request: byFile,
    outcome: needsDevice('agent_change_settings'),
    names: { id: 'file' },
  },
  'agents/files/get': {
    signature: 'GET query plain id',
    request: byFile,
    outcome: anyOnDevice,
    names: { id: 'file' },
    reply: 'application/octet-stream',
  },
};
