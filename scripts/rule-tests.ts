/** One test file that holds the tests of all the rules, so that they run in one process. */
import { pathToFileURL } from 'node:url';
import { ruleFiles } from './test-files.ts';

await Promise.all(ruleFiles().map((file) => import(pathToFileURL(file).href)));
