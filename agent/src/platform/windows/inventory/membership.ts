/** The domain or the workgroup of the machine. */
import type { Hardware } from '@drawbridge/contract/hardware';
import type { WindowsApi } from '../api/windows-api.ts';

type Membership = Pick<Hardware, 'ComputerDomain' | 'ComputerWorkgroup'>;

const success = 0;
const kinds = { workgroup: 2, domain: 3 } as const;

export function membershipOf(api: WindowsApi): Membership {
  const [address, kind] = [Buffer.alloc(8), Buffer.alloc(4)];
  const none = { ComputerDomain: '', ComputerWorkgroup: '' };
  if (api.NetGetJoinInformation(null, address, kind) !== success) return none;
  const at = address.readBigUInt64LE();
  const name = api.koffi.decode.string16(at);
  api.NetApiBufferFree(at);
  if (kind.readUInt32LE() === kinds.domain) return { ...none, ComputerDomain: name };
  return kind.readUInt32LE() === kinds.workgroup ? { ...none, ComputerWorkgroup: name } : none;
}
