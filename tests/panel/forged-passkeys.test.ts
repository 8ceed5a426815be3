/** Forged passkey responses: in one detail each, at sign-in, at re-authentication, and when adding one. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { PanelId } from '@drawbridge/contract/panel/index';
import type { TestPerson, TestAccount } from '../kit/server/account.ts';
import {
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
  type AuthenticatorFaults,
} from '../kit/browser/authenticator.ts';
import { databases } from '../kit/server/database.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import {
  openPanelClient,
  openSignedInPanel,
  type PanelResponse,
  type PanelClient,
} from '../kit/server/panel.ts';

type Json = Record<string, unknown>;

const codeOf = ({ body }: PanelResponse): string | undefined => body.error?.code;

/** The response of a key with one part of it replaced. */
const withPart = (answer: Json, part: string, change: (bytes: Buffer) => Buffer): Json => {
  const response = answer['response'] as Record<string, string>;
  const bytes = change(Buffer.from(response[part]!, 'base64url'));
  return { ...answer, response: { ...response, [part]: bytes.toString('base64url') } };
};
const flipped = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, -1), Buffer.from([bytes.at(-1)! ^ 1])]);

/** What an attacker may try with the response of a real key. */
const forgeries: Record<string, (key: SoftwareAuthenticator, options: Json) => Json> = {
  'signed by another key': (key, options) => key.answer(options, { foreign: true }),
  'of another challenge': (key, options) => key.answer(options, { challenge: 'A'.repeat(43) }),
  'of no challenge': (key, options) => key.answer(options, { challenge: '' }),
  'of another origin': (key, options) => key.answer(options, { origin: 'https://localhost.example.com' }),
  'of the same host over plain HTTP': (key, options) => key.answer(options, { origin: 'http://localhost' }),
  'of another name of the server': (key, options) => key.answer(options, { rpId: 'example.com' }),
  'meant for making a key': (key, options) => key.answer(options, { type: 'webauthn.create' }),
  'without anybody who touched it': (key, options) => key.answer(options, { absent: true }),
  'without anybody who was verified': (key, options) => key.answer(options, { unverified: true }),
  'of a page inside a page of others': (key, options) => key.answer(options, { crossOrigin: true }),
  'of somebody else by its handle': (key, options) => key.answer(options, { userHandle: 'AAAA' }),
  'that has counted back': (key, options) => key.answer(options, { counter: 1 }),
  'that has stopped counting': (key, options) => key.answer(options, { counter: 0 }),
  'with another signature': (key, options) => withPart(key.answer(options), 'signature', flipped),
  'with no signature': (key, options) => withPart(key.answer(options), 'signature', () => Buffer.alloc(0)),
  'with a counter changed after signing': (key, options) =>
    withPart(key.answer(options), 'authenticatorData', flipped),
  'cut off': (key, options) =>
    withPart(key.answer(options), 'authenticatorData', (bytes) => bytes.subarray(0, 36)),
  'of a name that is not its own': (key, options) => ({ ...key.answer(options), rawId: 'AAAA' }),
};

/** Invalid new keys that a browser may send. */
const makings: Record<string, AuthenticatorFaults> = {
  'of another challenge': { challenge: 'A'.repeat(43) },
  'of another origin': { origin: 'https://localhost.example.com' },
  'of another name of the server': { rpId: 'example.com' },
  'meant for signing in': { type: 'webauthn.get' },
  'without anybody who touched it': { absent: true },
  'without anybody who was verified': { unverified: true },
  'of a page inside a page of others': { crossOrigin: true },
  'with the statement of an old key': { format: 'fido-u2f' },
  'with the statement of a phone': { format: 'android-key' },
  'with the statement of a service that is gone': { format: 'android-safetynet' },
  'with the statement of a chip': { format: 'tpm' },
  'with the statement of a maker': { format: 'apple' },
  'with a statement that says nothing': { format: 'packed' },
  'with a statement of an unknown kind': { format: 'other' },
  'of an algorithm that was not asked for': { algorithm: 0x2a },
};

for (const { kind, skip } of databases)
  describe(`forged passkey responses, on ${kind}`, { skip }, () => {
    let service: TestService;
    before(async () => void (service = await startService({ database: kind })));
    after(() => service[Symbol.asyncDispose]());

    const begin = async (panel: PanelClient, row: PanelId): Promise<{ step: string; options: Json }> => {
      const { body } = await panel.ask(row);
      return { step: body['step'], options: body['options'] };
    };
    const newKey = () => createSoftwareAuthenticator(service.server.config.publicUrl);

    /** A person with a passkey that has counted for a while, signed in. */
    async function withPasskey(account?: TestAccount, person?: TestPerson) {
      const home = account ?? (await service.account());
      const panel = await openSignedInPanel(service, home, person ?? home.owner);
      const key = newKey();
      key.counter = 5;
      const { step, options } = await begin(panel, 'me/passkeys/begin');
      const { http } = await panel.ask('me/passkeys/add', { step, name: 'key', response: key.make(options) });
      assert.equal(http, 200);
      return { account: home, panel, key };
    }
    async function enter(
      forge: (options: Json) => Json,
    ): Promise<{ browser: PanelClient; answer: PanelResponse }> {
      const browser = openPanelClient(service);
      const { step, options } = await begin(browser, 'sign-in/passkey/begin');
      return { browser, answer: await browser.ask('sign-in/passkey', { step, response: forge(options) }) };
    }
    async function confirm(panel: PanelClient, forge: (options: Json) => Json): Promise<PanelResponse> {
      const { step, options } = await begin(panel, 'me/confirm/passkey/begin');
      return panel.ask('me/confirm/passkey', { step, response: forge(options) });
    }

    test('a response with anything forged neither signs in nor re-authenticates, and has no side effect', async () => {
      const { panel, key } = await withPasskey();
      const cookie = panel.cookie;

      for (const [name, forge] of Object.entries(forgeries)) {
        const { browser, answer } = await enter((options) => forge(key, options));
        const confirmed = await confirm(panel, (options) => forge(key, options));

        assert.deepEqual(
          [answer.http, codeOf(answer), browser.cookie],
          [403, 'not_signed_in', undefined],
          name,
        );
        assert.deepEqual([confirmed.http, codeOf(confirmed)], [403, 'not_signed_in'], name);
      }
      assert.equal(panel.cookie, cookie);
      assert.equal((await enter((options) => key.answer(options))).answer.body['next'], 'done');
      assert.equal((await confirm(panel, (options) => key.answer(options))).http, 200);
    });

    test('a new key with anything forged is not added', async () => {
      const { panel } = await withPasskey();

      for (const [name, wrong] of Object.entries(makings)) {
        const { step, options } = await begin(panel, 'me/passkeys/begin');
        const response = newKey().make(options, wrong);
        const { http } = await panel.ask('me/passkeys/add', { step, name: 'x', response });
        assert.equal(http, 400, name);
      }
      assert.equal((await panel.ask('me/passkeys')).body['data'].length, 1);
    });

    test('a key of one person does not authenticate another, in the same account or not', async () => {
      const ann = await withPasskey();
      const others = [await withPasskey(ann.account, await ann.account.member()), await withPasskey()];

      for (const bob of others) {
        const underHisName = await enter((options) =>
          ann.key.answer(options, { id: bob.key.credential, userHandle: bob.key.handle! }),
        );
        const swapped = await enter((options) => ann.key.answer(options, { userHandle: bob.key.handle! }));
        const confirmed = [
          await confirm(bob.panel, (options) => ann.key.answer(options)),
          await confirm(bob.panel, (options) => ann.key.answer(options, { id: bob.key.credential })),
        ];

        const answers = [underHisName.answer, swapped.answer, ...confirmed];
        assert.deepEqual(new Set(answers.map(({ http }) => http)), new Set([403]));
      }
    });

    test('the id of someone’s key is not taken over by adding another key under it', async () => {
      const [ann, eve] = [await withPasskey(), await withPasskey()];
      const id = Buffer.from(ann.key.credential, 'base64url');
      const twin = createSoftwareAuthenticator(service.server.config.publicUrl, { id });
      const { step, options } = await begin(eve.panel, 'me/passkeys/begin');

      const added = await eve.panel.ask('me/passkeys/add', { step, name: 'x', response: twin.make(options) });
      const entered = await enter((asked) => twin.answer(asked));

      assert.deepEqual([added.http, codeOf(added), entered.answer.http], [400, 'passkey_known', 403]);
      const { browser } = await enter((asked) => ann.key.answer(asked));
      assert.equal((await browser.ask('me')).body['data'].email, ann.account.owner.email);
    });

    test('what began in one browser cannot be completed in another, not even by the same person', async () => {
      const { account, panel, key } = await withPasskey();
      const elsewhere = await openSignedInPanel(service, account, account.owner);
      const [making, confirming] = [
        await begin(panel, 'me/passkeys/begin'),
        await begin(panel, 'me/confirm/passkey/begin'),
      ];

      const made = await elsewhere.ask('me/passkeys/add', {
        step: making.step,
        name: 'x',
        response: newKey().make(making.options),
      });
      const confirmed = await elsewhere.ask('me/confirm/passkey', {
        step: confirming.step,
        response: key.answer(confirming.options),
      });

      assert.deepEqual([made.http, confirmed.http], [403, 403]);
      assert.equal((await elsewhere.ask('me/passkeys')).body['data'].length, 1);
    });

    test('a response for one purpose is of no use for another', async () => {
      const { panel, key } = await withPasskey();
      const entering = await begin(openPanelClient(service), 'sign-in/passkey/begin');
      const confirming = await begin(panel, 'me/confirm/passkey/begin');
      const making = await begin(panel, 'me/passkeys/begin');

      const answers = [
        await panel.ask('me/confirm/passkey', {
          step: entering.step,
          response: key.answer(entering.options),
        }),
        await openPanelClient(service).ask('sign-in/passkey', {
          step: confirming.step,
          response: key.answer(confirming.options),
        }),
        await panel.ask('me/confirm/passkey', {
          step: making.step,
          response: key.answer({ ...making.options, rpId: 'localhost' }),
        }),
      ];

      assert.deepEqual(
        answers.map(({ http }) => http),
        [403, 403, 403],
      );
    });

    test('an intercepted response works neither a second time nor in a step of someone else', async () => {
      const { key } = await withPasskey();
      const victim = openPanelClient(service);
      const { step, options } = await begin(victim, 'sign-in/passkey/begin');
      const response = key.answer(options);
      assert.equal((await victim.ask('sign-in/passkey', { step, response })).http, 200);

      const again = await openPanelClient(service).ask('sign-in/passkey', { step, response });
      const { answer: inAnother } = await enter(() => response);

      assert.deepEqual([again.http, inAnother.http], [403, 403]);
    });
  });
