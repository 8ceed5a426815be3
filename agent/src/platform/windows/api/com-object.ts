/** Objects of Windows that are used through COM. */
import type { Handle, NativeFunction, WindowsApi } from './windows-api.ts';

/** The methods of an interface that the agent calls: their places in its table and their parameters. */
export type ComInterface = Record<string, readonly [place: number, parameters: string]>;

type Methods<Interface extends ComInterface> = { [Name in keyof Interface]: NativeFunction<number> };

/** Disposing of it releases the object. */
export type ComObject<Interface extends ComInterface> = Disposable & {
  address: Handle;
  /** Each takes the object's address first. */
  methods: Methods<Interface>;
};

const queryInterface = [0, 'void*, void*'] as const;
const release = [2, ''] as const;

export function comObject<Interface extends ComInterface>(
  api: WindowsApi,
  address: Handle,
  table: Interface,
): ComObject<Interface> {
  const methods = Object.fromEntries(
    Object.entries(table).map(([name, [place, parameters]]) => [
      name,
      api.method(address, place, parameters),
    ]),
  ) as Methods<Interface>;
  const free = api.method(address, ...release);
  return { address, methods, [Symbol.dispose]: () => void free(address) };
}

/** Runs a call that writes the address of an object into its last parameter. */
export async function receiveObject<Interface extends ComInterface>(
  api: WindowsApi,
  table: Interface,
  call: (address: Buffer) => number | Promise<number>,
): Promise<ComObject<Interface>> {
  const address = Buffer.alloc(8);
  requireComSuccess(await call(address));
  return comObject(api, address.readBigUInt64LE(), table);
}

/** Another interface of the same object, by its identifier. */
export const otherInterface = <Interface extends ComInterface>(
  api: WindowsApi,
  { address }: Pick<ComObject<ComInterface>, 'address'>,
  id: string,
  table: Interface,
): Promise<ComObject<Interface>> =>
  receiveObject(api, table, (received) =>
    api.method(address, ...queryInterface)(address, toGuid(id), received),
  );

export function requireComSuccess(result: number): void {
  if (result >= 0) return;
  throw new Error(`Windows refuses a call with the code 0x${(result >>> 0).toString(16)}.`);
}

/** The bytes of an identifier such as `770aae78-f26f-4dba-a829-253c83d1b387`: the first three numbers have the lowest byte first. */
export function toGuid(text: string): Buffer {
  const bytes = Buffer.from(text.replaceAll('-', ''), 'hex');
  bytes.subarray(0, 4).reverse();
  bytes.subarray(4, 6).reverse();
  bytes.subarray(6, 8).reverse();
  return bytes;
}
