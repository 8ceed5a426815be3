/** Remembers the printers that sessions have added to the device, so that an agent that was killed removes them at the next start. */
import { createMarkFile } from './mark-file.ts';

export const printerMarkName = 'printers.txt';

const file = createMarkFile(printerMarkName);

/** Whether printers were added and not removed. */
export const arePrintersLeft = file.exists;

export const printersLeft = (): string[] =>
  arePrintersLeft()
    ? file
        .read()
        .split('\n')
        .filter((name) => name !== '')
    : [];

function write(names: readonly string[]): void {
  if (names.length > 0) file.write(`${names.join('\n')}\n`);
  else file.clear();
}

export const rememberPrinter = (name: string): void => write([...printersLeft(), name]);

export const forgetPrinter = (name: string): void => write(printersLeft().filter((each) => each !== name));
