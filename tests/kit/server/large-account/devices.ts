/** Very many devices in many groups, a third of them online, one with very many programs. */
import { emptyHardware } from '@drawbridge/contract/empty-hardware';
import {
  firstRowId,
  rowId,
  manyRows,
  manyGroups,
  paddedNumber,
  sqlText,
  type LargeAccount,
  type Rows,
} from './rows.ts';

export const deviceRows = ({ accountId, now }: LargeAccount): Rows => ({
  table: 'agent',
  count: manyRows,
  columns: {
    id: rowId,
    account_id: accountId,
    device_id: '500000000 + i',
    group_id: `${firstRowId} + 1 + i % ${manyGroups}`,
    name: `'Workplace ' || ${paddedNumber}`,
    name_folded: `'workplace ' || ${paddedNumber}`,
    link_time: now - 86_400,
    added_over_files: 0,
    geo_ip: `'203.0.113.' || (i % 256)`,
    geo_country: sqlText('Sweden'),
    geo_region: sqlText('Kronobergs län'),
    geo_city: sqlText('Växjö'),
    addresses: `'["10.0.' || (i / 256) || '.' || (i % 256) || '"]'`,
    permanent_enabled: 0,
    policy: sqlText('{"onetime_url":"forbid"}'),
    secret: `'secret ' || i`,
    os: `case i % 3 when 0 then 'win' when 1 then 'linux' else 'mac' end`,
    os_user: `'user-' || i`,
    rdp: 0,
    hibernate: 0,
    power_supply: 1,
    version: sqlText('1.4.2'),
    installed: 1,
    sessions_total: 1,
    revision: 1,
    notes: sqlText(''),
    hardware: sqlText(JSON.stringify(emptyHardware)),
    // Two of each: the page of duplicates has as many pairs as possible.
    serial: `'serial ' || (i / 2)`,
    machine_id: `'machine ' || i`,
    software: `case i when 1 then ${sqlText(JSON.stringify(makePrograms()))} else '[]' end`,
    software_time: now - 60,
    // Half of them wait for approval.
    approved: 'i % 2',
  },
});

const makePrograms = (): object[] =>
  Array.from({ length: manyRows }, (_, at) => ({
    name: `Program ${at}`,
    version: `1.0.${at}`,
    publisher: 'Example Software AB',
    install_date: '2026-01-31',
  }));

export const groupRows = ({ accountId }: LargeAccount): Rows => ({
  table: 'agent_group',
  count: manyGroups,
  columns: {
    id: rowId,
    account_id: accountId,
    name: `'Office ' || char(65 + i / 26, 65 + i % 26)`,
    name_folded: `'office ' || char(97 + i / 26, 97 + i % 26)`,
    position: 'i',
  },
});

export const presenceRows = ({ accountId, now }: LargeAccount): Rows => ({
  table: 'presence',
  count: manyRows,
  where: 'i % 3 = 0',
  columns: {
    agent_id: rowId,
    account_id: accountId,
    node: sqlText('elsewhere'),
    lease_until: now + 86_400,
    seen_time: now,
  },
});
