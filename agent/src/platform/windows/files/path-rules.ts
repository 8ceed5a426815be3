/** The paths of operators on Windows: a virtual root with drives, such as `/C:/Users/ann/report.txt`. */
import { NotPossible } from '../../platform.ts';

/** A place on a drive. */
export interface DrivePath {
  /** Such as `C:`. */
  drive: string;
  names: readonly string[];
}

/** Names that Windows takes for devices, with any extension. */
const deviceName = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\.|$)/i;
/** A colon would name a stream of a file, a backslash another folder. */
const forbidden = /[<>:"|?*\\/\p{Cc}]/u;
const maxNameLength = 255;

/** Returns undefined for the root, which contains the drives. */
export function parsePath(path: string): DrivePath | undefined {
  const [drive, ...names] = path.split('/').filter((part) => part !== '' && part !== '.');
  if (drive === undefined) return undefined;
  if (!/^[A-Za-z]:$/.test(drive))
    throw new NotPossible('The path does not start with a drive, such as /C:/.');
  names.forEach(requireName);
  return { drive: drive.toUpperCase(), names };
}

/** Refuses names that Windows does not keep as they are, or that reach something else than a file. */
export function requireName(name: string): void {
  if (name === '..') throw new NotPossible('The path must not contain "..".');
  if (forbidden.test(name) || name.length > maxNameLength || /[. ]$/.test(name))
    throw new NotPossible('Windows does not allow that name.');
  if (deviceName.test(name)) throw new NotPossible('Windows reserves that name for a device.');
}

/** The path for operators of a path of Windows. */
export const fromWindowsPath = (path: string): string => `/${path.replaceAll('\\', '/').replace(/\/+$/, '')}`;
