/** The store on PostgreSQL. */
import { describeStore } from './store-suite.ts';

describeStore('postgres');
