// Exits with 0 if the server in this container accepts requests, or answers at the path that is given.
'use strict';
const { request } = require('node:https');

const port = Number((process.env.DRAWBRIDGE_LISTEN ?? '').split(':').at(-1)) || 8443;
// The certificate is for the public name. This request stays in the container and carries nothing.
const path = process.argv[2] ?? '/readyz';
const options = { host: '127.0.0.1', port, path, rejectUnauthorized: false, timeout: 4_000 };
const check = request(options, (response) => process.exit(response.statusCode === 200 ? 0 : 1));
check.on('error', () => process.exit(1));
check.on('timeout', () => process.exit(1));
check.end();
