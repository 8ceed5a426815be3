/** The store on SQLite. */
import { describeStore } from './store-suite.ts';

describeStore('sqlite');
