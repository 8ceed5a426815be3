/** The introduction of the API manual: keys, conventions, outcomes. */
import { type FaultName, faults } from '../faults.ts';

/** The `status` of each fault, for operations that have one. The panel's own fault is not part of the API. */
const numbers: Record<Exclude<FaultName, 'busy'>, string> = {
  invalid: '1',
  unauthenticated: 'as for `forbidden`',
  forbidden: '8 or 6 as listed with the operation, else 1',
  not_found: '6 where listed so, else 1',
  plan_exceeded: '1',
  path_taken: '7',
  invalid_password: '21',
  unavailable: 'as for `internal`',
  internal: '2 or 4 as listed with the operation',
};

const outcomes = Object.entries(numbers).map(([name, number]) => {
  const { http, code, says } = faults[name as FaultName];
  return `| ${http} | \`${code}\` | ${says} | ${number} |`;
});

const beforeRefusal = `# The HTTP API

This page is derived from the contract (\`contract/src/v1\`) by \`npm run derive\`; a test holds the two together. The
examples are requests to a server and its replies, taken from a run; only random codes and keys were replaced.
The same in machine-readable form: [openapi.json](openapi.json). A typed client: [\`@drawbridge/client\`](../sdk/README.md).

## Keys

Every request carries an API key in the header \`X-Api-Key\`. A key belongs to one person, and a request has exactly the
rights that person has at that moment; the owner of the account may do everything. A key is 64 characters and is shown
once, when it is created. HTTPS only: a request over plain HTTP is refused.

The examples below use two variables:

\`\`\`sh
SERVER=https://localhost:8443
KEY=…          # 64 characters
\`\`\`

A server that created its own certificate is trusted by \`curl --cacert data/tls/cert.pem …\`.

## Conventions

- All paths start with \`/v1\`. GET requests carry parameters in the query string, POST requests in a JSON body; where a POST
  takes its parameters in the query string, its section says so. Files travel as they are, beside that.
- In the query string numbers and booleans are text: \`12\`, \`true\`, \`false\`, \`1\`, \`0\`. In a JSON body types are strict: a
  number sent as a string is refused. A parameter given twice is refused; unknown ones are ignored. A body may have 64 KiB.
- Ids are whole numbers from 1 to 9007199254740991. Times are Unix timestamps in whole seconds.
- Replies are JSON in UTF-8, data in \`data\`. A string without a value is \`""\`, a list without a value \`[]\`, never \`null\`; only
  fields marked with a question mark may be absent.
- Within \`/v1\` fields are only added. A removal is announced a year ahead with the headers \`Deprecation\` and \`Sunset\`.
- \`agents/list\` answers all devices unless \`limit\` is given, and honours \`If-None-Match\` with the \`ETag\` of an earlier reply:
  304 then means that nothing changed.

## Outcomes

A request that was done answers 200, with \`status\` 0 where the operation has one. A refusal changes nothing and says why:

\`\`\`json
`;

const afterRefusal = `
\`\`\`

\`error.code\` is stable; some refusals have a more particular code than those below. \`error.message\` is for people and
\`error.field\` names the parameter to blame, where there is one.

| HTTP | \`error.code\` | Means | \`status\` |
|---|---|---|---|
${outcomes.join('\n')}
| 404 | \`unknown_url\` | There is no such URL, or not with this method. | – |

What does not exist and what belongs to another account answer alike. Past the plan's number of requests per hour every
request is refused with 402 and the headers \`Retry-After\` and \`RateLimit\`.`;

/** `refusal`: the reply to a request that was refused. */
export const introduction = (refusal: string): string => beforeRefusal + refusal + afterRefusal;
