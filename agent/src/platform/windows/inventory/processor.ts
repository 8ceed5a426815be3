/** The processor and its cores. */
import type { Hardware } from '@drawbridge/contract/hardware';
import { openRegistry, type RegistryKey } from '../api/registry.ts';
import type { WindowsApi } from '../api/windows-api.ts';

type Processor = Pick<Hardware, 'CPU' | 'CPUCores' | 'CPUCoresLogical' | 'CPUFamily' | 'CPUSpeed'>;

const first: RegistryKey = { root: 'machine', path: 'HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0' };

export function processorOf(api: WindowsApi): Processor {
  const registry = openRegistry(api);
  const identifier = registry.text(first, 'Identifier');
  return {
    CPU: registry.text(first, 'ProcessorNameString').trim(),
    ...coresOf(api),
    CPUFamily: /\bFamily (\w+)/.exec(identifier)?.[1] ?? identifier,
    CPUSpeed: registry.number(first, '~MHz') ?? 0,
  };
}

/** Offsets in SYSTEM_LOGICAL_PROCESSOR_INFORMATION. */
const information = { bytes: 32, mask: 0, relationship: 8 } as const;
const core = 0;

/** Each core has a mask with a bit for each of its logical processors. */
function coresOf(api: WindowsApi): Pick<Processor, 'CPUCores' | 'CPUCoresLogical'> {
  const length = Buffer.alloc(4);
  api.GetLogicalProcessorInformation(null, length);
  const bytes = Buffer.alloc(length.readUInt32LE());
  api.GetLogicalProcessorInformation(bytes, length);
  const masks = Array.from({ length: bytes.length / information.bytes }, (_, index) =>
    bytes.subarray(index * information.bytes, (index + 1) * information.bytes),
  )
    .filter((each) => each.readUInt32LE(information.relationship) === core)
    .map((each) => each.readBigUInt64LE(information.mask));
  const bits = masks.map((mask) => mask.toString(2).replaceAll('0', '').length);
  return { CPUCores: masks.length, CPUCoresLogical: bits.reduce((sum, each) => sum + each, 0) };
}
