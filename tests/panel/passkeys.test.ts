/** Passkeys: created, used to sign in and to re-authenticate; and everything about them that may be wrong. */
import assert from 'node:assert/strict';
import { KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { PanelId } from '@drawbridge/contract/panel/index';
import type { TestPerson, TestAccount } from '../kit/server/account.ts';
import {
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
  type Attester,
  type AuthenticatorFaults,
} from '../kit/browser/authenticator.ts';
import { databases } from '../kit/server/database.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import {
  setPassword,
  openPanelClient,
  openSignedInPanel,
  type PanelResponse,
  type PanelClient,
} from '../kit/server/panel.ts';

const codeOf = ({ body }: PanelResponse): string | undefined => body.error?.code;

/** One thing wrong at a time. */
const wrongs: Record<string, AuthenticatorFaults> = {
  'another origin': { origin: 'https://localhost.example.com' },
  'the same host without its port': { origin: 'https://localhost' },
  'another name of the server': { rpId: 'example.com' },
  'an unverified user': { unverified: true },
  'another challenge': { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
};

/** A server that waits to be asked whether a certificate is still valid. */
async function openCanary() {
  const canary = { url: '', received: 0, [Symbol.asyncDispose]: async () => void server.close() };
  const server = createServer((_request, response) => {
    canary.received += 1;
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  canary.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/list`;
  return canary;
}

/** A standard-compliant manufacturer of keys, whose certificate says where to check its status. */
async function someMaker(list: string): Promise<Attester> {
  // After the server, which has prepared what this needs.
  const { BasicConstraintsExtension, CRLDistributionPointsExtension, X509CertificateGenerator } =
    await import('@peculiar/x509');
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ]);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'C=NL, O=Keys, OU=Authenticator Attestation, CN=One',
    notBefore: new Date(Date.now() - 86_400_000),
    notAfter: new Date(Date.now() + 86_400_000),
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    keys,
    extensions: [new BasicConstraintsExtension(false), new CRLDistributionPointsExtension([list])],
  });
  const key = KeyObject.from(keys.privateKey);
  return { certificate: Buffer.from(certificate.rawData), sign: (bytes) => sign('sha256', bytes, key) };
}

for (const { kind, skip } of databases)
  describe(`passkeys, on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => void (service = await startService({ database: kind })));
    after(() => service[Symbol.asyncDispose]());

    const origin = (): string => service.server.config.publicUrl;

    async function add(
      panel: PanelClient,
      key: SoftwareAuthenticator,
      wrong?: AuthenticatorFaults,
    ): Promise<PanelResponse> {
      const { step, options } = (await panel.ask('me/passkeys/begin')).body;
      return panel.ask('me/passkeys/add', { step, name: 'my phone', response: key.make(options, wrong) });
    }

    /** A person with a passkey, signed in. */
    async function withPasskey(key = createSoftwareAuthenticator(origin())): Promise<{
      account: TestAccount;
      person: TestPerson;
      panel: PanelClient;
      key: SoftwareAuthenticator;
      id: number;
    }> {
      const account = await service.account();
      const panel = await openSignedInPanel(service, account, account.owner);
      const { http, body } = await add(panel, key);
      assert.equal(http, 200, JSON.stringify(body));
      return { account, person: account.owner, panel, key, id: body['id'] };
    }

    const begin = async (panel: PanelClient, row: PanelId = 'sign-in/passkey/begin') => {
      const { body } = await panel.ask(row);
      return { step: body['step'] as string, options: body['options'] as Record<string, unknown> };
    };

    async function signIn(
      key: SoftwareAuthenticator,
      wrong?: AuthenticatorFaults,
    ): Promise<{ browser: PanelClient; answer: PanelResponse }> {
      const browser = openPanelClient(service);
      const { step, options } = await begin(browser);
      const answer = await browser.ask('sign-in/passkey', { step, response: key.answer(options, wrong) });
      return { browser, answer };
    }

    test('a passkey signs in without an address, a password or a code', async () => {
      const { person, panel, key } = await withPasskey();
      service.advance(5);

      const { browser, answer } = await signIn(key);

      assert.equal(answer.body['next'], 'done');
      assert.equal((await browser.ask('me')).body['data'].email, person.email);
      const { data } = (await panel.ask('me/passkeys')).body;
      assert.deepEqual([data[0].name, data[0].last_used], ['my phone', data[0].create_time + 5]);
    });

    test('one without a counter signs in again and again', async () => {
      const { key } = await withPasskey(createSoftwareAuthenticator(origin(), { counts: false }));

      for (let time = 0; time < 2; time++) assert.equal((await signIn(key)).answer.http, 200);
    });

    test('browsers are told to verify the user, to store the key, and which keys are already known', async () => {
      const { panel, key } = await withPasskey();

      const { options: making } = await begin(panel, 'me/passkeys/begin');
      const { options: answering } = await begin(openPanelClient(service));

      assert.deepEqual(making['rp'], { name: 'Drawbridge', id: 'localhost' });
      const asked = making['authenticatorSelection'] as Record<string, unknown>;
      assert.deepEqual([asked['residentKey'], asked['userVerification']], ['required', 'required']);
      assert.deepEqual((making['excludeCredentials'] as { id: string }[])[0]?.id, key.credential);
      assert.deepEqual([answering['rpId'], answering['userVerification']], ['localhost', 'required']);
      assert.deepEqual(answering['allowCredentials'] ?? [], []);
    });

    for (const [name, wrong] of Object.entries(wrongs))
      test(`with ${name} no passkey is created, and none signs in`, async () => {
        const { panel, key } = await withPasskey();

        const made = await add(panel, createSoftwareAuthenticator(origin()), wrong);
        const { browser, answer } = await signIn(key, wrong);

        assert.equal(made.http, 400);
        assert.deepEqual([answer.http, codeOf(answer)], [403, 'not_signed_in']);
        assert.equal(browser.cookie, undefined);
        assert.equal((await signIn(key)).answer.http, 200);
      });

    test('a response works once: neither its step nor its content is accepted a second time', async () => {
      const { key } = await withPasskey();
      const browser = openPanelClient(service);
      const { step, options } = await begin(browser);
      const response = key.answer(options);
      await browser.ask('sign-in/passkey', { step, response });

      const replayed = await openPanelClient(service).ask('sign-in/passkey', { step, response });
      const other = openPanelClient(service);
      const elsewhere = await other.ask('sign-in/passkey', { step: (await begin(other)).step, response });

      assert.deepEqual([replayed.http, elsewhere.http], [403, 403]);
    });

    test('the same response twice at the same moment signs in once', async () => {
      const { key } = await withPasskey();
      const browsers = [openPanelClient(service), openPanelClient(service)];
      const { step, options } = await begin(browsers[0]!);
      const response = key.answer(options);

      const answers = await Promise.all(
        browsers.map((each) => each.ask('sign-in/passkey', { step, response })),
      );

      assert.deepEqual(answers.map(({ http }) => http).toSorted(), [200, 403]);
    });

    test('a copy of a key with a lower counter is refused', async () => {
      const { key } = await withPasskey();
      const copy = key.clone();
      assert.equal((await signIn(key)).answer.http, 200);
      assert.equal((await signIn(key)).answer.http, 200);

      const { answer } = await signIn(copy);

      assert.equal(answer.http, 403);
    });

    test('a key that claims to belong to someone else, or is unknown, is refused', async () => {
      const [ann, bob] = [await withPasskey(), await withPasskey()];
      const outsider = createSoftwareAuthenticator(origin());

      const asBob = await signIn(ann.key, { userHandle: bob.key.handle! });
      const unknown = await signIn(outsider);

      assert.deepEqual([asBob.answer.http, unknown.answer.http], [403, 403]);
    });

    test('a step of one person is of no use to another, nor a step for one purpose for another', async () => {
      const [ann, bob] = [await withPasskey(), await withPasskey()];
      const making = await begin(ann.panel, 'me/passkeys/begin');
      const confirming = await begin(ann.panel, 'me/confirm/passkey/begin');
      const entering = await begin(openPanelClient(service));

      const made = await bob.panel.ask('me/passkeys/add', {
        step: making.step,
        name: 'x',
        response: createSoftwareAuthenticator(origin()).make(making.options),
      });
      const confirmed = await bob.panel.ask('me/confirm/passkey', {
        step: confirming.step,
        response: bob.key.answer(confirming.options),
      });
      const crossed = await ann.panel.ask('me/confirm/passkey', {
        step: entering.step,
        response: ann.key.answer(entering.options),
      });

      assert.deepEqual([made.http, confirmed.http, crossed.http], [403, 403, 403]);
    });

    test('an attestation by the manufacturer is refused, and no address in it is contacted', async () => {
      const { panel } = await withPasskey();
      await using canary = await openCanary();

      const { http } = await add(panel, createSoftwareAuthenticator(origin()), {
        maker: await someMaker(canary.url),
      });

      assert.deepEqual([http, canary.received], [400, 0]);
    });

    test('a malformed response is refused, and is no server error', async () => {
      const { panel } = await withPasskey();
      const nonsense = [
        {},
        { id: 'x' },
        { id: 1, response: 2 },
        { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: {} },
      ];

      for (const response of nonsense) {
        const browser = openPanelClient(service);
        const entered = await browser.ask('sign-in/passkey', { step: (await begin(browser)).step, response });
        const { step } = await begin(panel, 'me/passkeys/begin');
        const made = await panel.ask('me/passkeys/add', { step, name: 'x', response });
        assert.deepEqual([entered.http, made.http], [403, 400], JSON.stringify(response));
      }
    });

    test('a passkey re-authenticates; the cookie changes with it', async () => {
      const { panel, key } = await withPasskey();
      service.advance(601);
      const earlier = panel.cookie;
      assert.equal(codeOf(await panel.ask('me/passkeys/begin')), 'confirm_identity');

      const { step, options } = await begin(panel, 'me/confirm/passkey/begin');
      const { http, body } = await panel.ask('me/confirm/passkey', { step, response: key.answer(options) });

      assert.deepEqual([http, body['fresh_until']], [200, service.server.store.now() + 600]);
      assert.notEqual(panel.cookie, earlier);
      assert.equal((await panel.ask('me/passkeys/begin')).http, 200);
    });

    test('the only means of signing in is not removed, others are', async () => {
      const { account, person, panel, id } = await withPasskey();

      const last = await panel.ask('me/passkeys/remove', { id });
      await setPassword(service, account, person, 'correct horse 7');
      const again = await openSignedInPanel(service, account, person);
      const removed = await again.ask('me/passkeys/remove', { id });

      assert.deepEqual([last.http, codeOf(last)], [400, 'last_way_in']);
      assert.equal(removed.http, 200);
      assert.deepEqual((await again.ask('me/passkeys')).body['data'], []);
      assert.equal((await again.ask('me/passkeys/remove', { id })).http, 403);
    });

    test('a wrong response of a known key is in the audit log, and a sign-in too', async () => {
      const { account, key } = await withPasskey();
      await signIn(key, { unverified: true });
      await signIn(key);

      const { rows } = await service.server.store.audit.list(account.id, {
        operation: 'panel/sign-in/passkey',
        offset: 0,
        limit: 10,
      });

      assert.deepEqual(rows.map(({ outcome }) => outcome).toSorted(), ['done', 'not_signed_in']);
    });
  });

test('a server that is reached by an IP address offers no passkeys', async () => {
  await using service = await startService({ env: { DRAWBRIDGE_PUBLIC_URL: 'https://127.0.0.1:8443' } });
  const account = await service.account();
  const panel = await openSignedInPanel(service, account, account.owner);

  const answers = [
    await panel.ask('me/passkeys/begin'),
    await openPanelClient(service).ask('sign-in/passkey/begin'),
  ];

  assert.deepEqual(answers.map(codeOf), ['no_passkeys', 'no_passkeys']);
  assert.equal((await panel.ask('sign-in/options')).body['data'].passkeys, false);
});
