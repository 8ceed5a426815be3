/** Whether this process is part of `npm run test:cluster`, whose services are three servers each. */
export const isClusterRun = process.env['DRAWBRIDGE_TEST_CLUSTER'] === '1';
