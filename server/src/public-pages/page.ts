/** What all pages rendered by the server share: style, icon, head and content security policy. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Route } from '../http/route.ts';
import { openStaticFolder, versionedFile } from './static-files.ts';

/** The folder is beside the bundle, or beside src/ when the server runs from source. */
const ownFolder = (): string => {
  const beside = join(import.meta.dirname, 'static');
  return existsSync(beside) ? beside : join(import.meta.dirname, '../../static');
};

/** The folder `server/static`. */
export const ownFiles = openStaticFolder(ownFolder());

const style = versionedFile('/static/page.css', ownFiles, 'page.css');
const icon = versionedFile('/static/icon.svg', ownFiles, 'icon.svg');

export const pageRoutes: readonly Route[] = [style.route, icon.route];

/** Pages run no scripts and load only styles and pictures of this server. */
export const pageCsp =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const pageHead = async (title: string): Promise<string> => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${await icon.url()}">
<link rel="stylesheet" href="${await style.url()}">`;
