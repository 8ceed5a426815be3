/** Calls functions of Windows through koffi. This is the only place that declares them. */
import { loadKoffi, type Koffi, type Library } from '../../native.ts';
import { NotPossible } from '../../platform.ts';
import { prototypes } from './prototypes.ts';

/** A handle or an address: a number where it is exact. */
export type Handle = number | bigint;

/** What a call accepts; a Uint8Array is passed as a pointer to its memory. */
type Value = Handle | string | null | Uint8Array;

interface Results {
  int: number;
  uint: number;
  uint8: number;
  int16: number;
  uint16: number;
  intptr: Handle;
  uintptr: Handle;
  void: undefined;
}

type ResultOf<Prototype> = Prototype extends `${infer Result} (${string}`
  ? Result extends keyof Results
    ? Results[Result]
    : never
  : never;

export interface NativeFunction<Result> {
  (...values: Value[]): Result;
  /** Runs the call in another thread. */
  async(...values: Value[]): Promise<Result>;
}

type Tables = typeof prototypes;
type Functions<Table> = { [Name in keyof Table]: NativeFunction<ResultOf<Table[Name]>> };
type AllFunctions = { [Name in keyof Tables]: Functions<Tables[Name]> }[keyof Tables];
type Merged<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

export type WindowsApi = Merged<AllFunctions> & {
  koffi: Koffi;
  /** The memory at an address, without copying it. */
  memory(address: Handle, length: number): Buffer;
  /** A method of a COM object, by its place in the table of the object's interface. Its first parameter is the object. */
  method(object: Handle, place: number, parameters: string): NativeFunction<number>;
};

let loaded: Promise<WindowsApi> | undefined;

export const loadWindowsApi = (): Promise<WindowsApi> => (loaded ??= load());

async function load(): Promise<WindowsApi> {
  const koffi = await loadKoffi();
  if (!koffi) throw new NotPossible('The agent cannot call the functions of Windows on this device.');
  const declare = createDeclare(koffi);
  const functions: Record<string, NativeFunction<unknown>> = {};
  for (const [library, table] of Object.entries(prototypes))
    for (const [name, prototype] of Object.entries(table))
      functions[name] = lazily(() => declare(library, name, prototype));
  const memory = (address: Handle, length: number): Buffer =>
    Buffer.from(koffi.view(BigInt(address), length));
  const method = createMethods(koffi);
  return { ...functions, koffi, memory, method } as unknown as WindowsApi;
}

type KoffiFunction = ReturnType<Library['func']>;

/** Declared on the first call, because older versions of Windows lack some functions and libraries. */
function lazily(declare: () => KoffiFunction): NativeFunction<unknown> {
  let declared: KoffiFunction | undefined;
  const get = (): KoffiFunction => (declared ??= declare());
  const padding = Array<number>(paddingLength).fill(0);
  const call = (...values: Value[]): unknown => get()(...values, ...(isPadded ? padding : [])) as unknown;
  const async = (...values: Value[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      get().async(...values, ...(isPadded ? padding : []), (error: Error | null, result: unknown) =>
        error ? reject(error) : resolve(result),
      );
    });
  return Object.assign(call, { async });
}

/**
 * Wine reads beyond the end of koffi's stack in some functions, and never returns from them, unless there are further
 * parameters.
 */
const paddingLength = 8;
let isPadded = false;

function createDeclare(koffi: Koffi): (library: string, name: string, prototype: string) => KoffiFunction {
  const libraries = new Map<string, Library>();
  isPadded = isWine(koffi);
  const further = isPadded ? Array<string>(paddingLength).fill('int64') : [];
  return (library, name, prototype) => {
    const known = libraries.get(library) ?? koffi.load(library || null);
    libraries.set(library, known);
    const [, result, parameters] = /^(\S+) \((.*)\)$/.exec(prototype)!;
    const all = [...(parameters ? [parameters] : []), ...further].join(', ');
    return known.func(`${result} __stdcall ${name}(${all})`);
  };
}

/** A prototype is declared once, because koffi keeps it for ever. */
function createMethods(koffi: Koffi): WindowsApi['method'] {
  const declared = new Map<string, ReturnType<Koffi['proto']>>();
  const addressSize = 8;
  return (object, place, parameters) => {
    const table = koffi.decode(BigInt(object), 'uintptr') as Handle;
    const address = koffi.decode(BigInt(table) + BigInt(place * addressSize), 'uintptr') as Handle;
    const types = ['uintptr', ...(parameters ? parameters.split(', ') : [])];
    const further = isPadded ? Array<string>(paddingLength).fill('int64') : [];
    const prototype = declared.get(parameters) ?? koffi.proto('__stdcall', 'int', [...types, ...further]);
    declared.set(parameters, prototype);
    return lazily(() => koffi.decode(BigInt(address), prototype) as KoffiFunction) as NativeFunction<number>;
  };
}

function isWine(koffi: Koffi): boolean {
  try {
    koffi.load('ntdll.dll').symbol('wine_get_version');
    return true;
  } catch {
    return false;
  }
}
