/** Reads the picture sizes that H.264 data (Annex B) declares, before a decoder reserves memory for them. */

interface DeclaredSize {
  width: number;
  height: number;
}

/** The types of data units that declare a size: sequence parameter sets, and those of extensions, which are not accepted. */
const [parameterSet, extendedParameterSet] = [7, 15];
/** The profile without the fields that this parser does not know. */
const baselineProfile = 66;
const macroblock = 16;
/** Devices use one reference picture. Each takes as much memory as the picture. */
const mostReferences = 4;

/** Returns undefined if the data declares something that a device never sends. */
export function readH264Sizes(data: Uint8Array): DeclaredSize[] | undefined {
  const sizes: DeclaredSize[] = [];
  for (const start of unitStarts(data)) {
    const type = data[start]! & 0x1f;
    if (type === extendedParameterSet) return undefined;
    if (type !== parameterSet) continue;
    const size = readParameterSet(data.subarray(start + 1));
    if (!size) return undefined;
    sizes.push(size);
  }
  return sizes;
}

/** The position after each start code, which is 0, 0, 1. */
function unitStarts(data: Uint8Array): number[] {
  const starts: number[] = [];
  for (let at = data.indexOf(1, 2); at >= 0 && at + 1 < data.length; at = data.indexOf(1, at + 1))
    if (data[at - 1] === 0 && data[at - 2] === 0) starts.push(at + 1);
  return starts;
}

function readParameterSet(unit: Uint8Array): DeclaredSize | undefined {
  if (unit[0] !== baselineProfile) return undefined;
  const bits = createBitReader(unit.subarray(3));
  bits.number(); // Its own number.
  bits.number(); // How frames are numbered.
  const order = bits.number();
  if (order === 0) bits.number();
  else if (order !== 2) return undefined;
  if (bits.number() > mostReferences) return undefined;
  bits.bit(); // Whether numbers may be left out.
  const [width, height] = [(bits.number() + 1) * macroblock, (bits.number() + 1) * macroblock];
  const hasWholeFrames = bits.bit() === 1;
  return hasWholeFrames ? { width, height } : undefined;
}

/** Reads single bits and Exp-Golomb numbers. After the end all bits are 0 and all numbers infinite. */
function createBitReader(escaped: Uint8Array) {
  const bytes = escaped.filter((byte, at) => !(byte === 3 && escaped[at - 1] === 0 && escaped[at - 2] === 0));
  let at = 0;
  const bit = (): number => {
    const value = ((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1;
    at += 1;
    return value;
  };
  return {
    bit,
    number(): number {
      let zeros = 0;
      while (bit() === 0) if ((zeros += 1) > 31) return Infinity;
      let value = 1;
      for (let left = zeros; left > 0; left -= 1) value = value * 2 + bit();
      return value - 1;
    },
  };
}
