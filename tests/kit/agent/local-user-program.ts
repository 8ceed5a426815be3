/**
 * The program of the other local user: replaces a folder with a link, once at the worst moment or repeatedly,
 * and prints a line each time.
 */
import { readdirSync, renameSync, symlinkSync, unlinkSync, writeSync } from 'node:fs';

const [how, folder, victim] = process.argv.slice(2) as [string, string, string];
const aside = `${folder}-aside`;
const tell = (): void => void writeSync(1, '.\n');

const attempt = (...moves: (() => void)[]): boolean => {
  try {
    moves.forEach((move) => move());
    return true;
  } catch {
    return false;
  }
};
const lead = (): boolean =>
  attempt(
    () => renameSync(folder, aside),
    () => symlinkSync(victim, folder),
  );
const undo = (): void => {
  attempt(() => unlinkSync(folder));
  attempt(() => renameSync(aside, folder));
};

const count = (): number => {
  try {
    return readdirSync(folder).length;
  } catch {
    return 0;
  }
};

const before = count();
tell();
if (how === 'once') {
  while (count() >= before);
  if (lead()) tell();
} else {
  for (;;) {
    if (lead()) tell();
    undo();
  }
}
