/** Imports the tests of all rules, so that they run in one process. */
import { pathToFileURL } from 'node:url';
import { ruleFiles } from './test-files.ts';

await Promise.all(ruleFiles().map((file) => import(pathToFileURL(file).href)));
