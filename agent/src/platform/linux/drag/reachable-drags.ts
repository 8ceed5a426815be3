/** Drags of files as operators see them: of the addresses that a program drags, the files that they reach. */
import type { Desktop } from '../../desktop.ts';
import type { FileDrags } from '../../drag/file-drags.ts';
import { findFilesRoot, toFilesPath } from '../files/files-root.ts';
import { localPathsOf } from './uri-list.ts';

/** Drags in the form in which programs exchange them: addresses, one in a line (text/uri-list). */
export type UriDrags = FileDrags<string>;

/** A desktop on which programs drag addresses. */
export interface LinuxDesktop extends Omit<Desktop, 'restoreSize' | 'fileDrags'> {
  /** Absent if files cannot be dragged out of this desktop. */
  uriDrags?(): Promise<UriDrags>;
}

export function withReachableDrags({ uriDrags, ...desktop }: LinuxDesktop): Omit<Desktop, 'restoreSize'> {
  return { ...desktop, ...(uriDrags && { fileDrags: () => openReachable(uriDrags) }) };
}

async function openReachable(open: () => Promise<UriDrags>): Promise<FileDrags> {
  const root = await findFilesRoot(process.env);
  const drags = await open();
  const pathsOf = (uriList: string): string[] =>
    localPathsOf(uriList)
      .map((path) => toFilesPath(root, path))
      .filter((path) => path !== undefined);
  return {
    ...drags,
    openTarget: (position, { onFiles, ...listener }) =>
      drags.openTarget(position, { ...listener, onFiles: (uriList) => onFiles(pathsOf(uriList)) }),
  };
}
