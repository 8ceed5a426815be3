/** Signing in to the panel: the next step, the rules for passwords, and the meaning of browser refusals. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLoopbackUrl } from '@drawbridge/web/panel/loopback-url';
import { signInLinkCommand } from '@drawbridge/web/panel/sign-in/sign-in-link-command';
import { readSteps } from '@drawbridge/web/panel/sign-in/first-steps';
import { passkeyProblem } from '@drawbridge/web/panel/sign-in/passkey-problem';
import { isGoodPassword, isMet, isTooLong, passwordRules } from '@drawbridge/web/panel/sign-in/password-rule';
import { nextSignInState } from '@drawbridge/web/panel/sign-in/sign-in-state';
import { passwordProblem } from '@drawbridge/server/domain/sessions/links';

test('after the password comes a code, a choice of account, or the panel', () => {
  assert.deepEqual(nextSignInState({ next: 'code', step: 'abc' }), { at: 'code', step: 'abc' });
  const accounts = [{ account_id: 1, owner: 'ann@example.com' }];
  assert.deepEqual(nextSignInState({ next: 'account', step: 'abc', accounts }), {
    at: 'account',
    step: 'abc',
    accounts,
  });
  assert.deepEqual(nextSignInState({ next: 'done' }), { at: 'done' });
});

test('the page says for each rule whether a password follows it', () => {
  const met = (password: string) => passwordRules.filter((rule) => isMet(rule, password));
  assert.deepEqual(met(''), []);
  assert.deepEqual(met('abc'), ['letter']);
  assert.deepEqual(met('12345678'), ['length', 'digit']);
  assert.deepEqual(met('пароль٣٤'), ['length', 'letter', 'digit']);
});

test('the page accepts exactly the passwords that the server accepts', () => {
  const passwords = ['', 'abcdefgh', 'abcdefg1', 'abcdef1', '12345678', 'пароль٣٤', '🙂🙂🙂🙂🙂🙂🙂a1'];
  passwords.push(`${'a'.repeat(255)}1`, `${'a'.repeat(256)}1`, `${'e\u0301'.repeat(200)}1`);
  for (const password of passwords)
    assert.equal(isGoodPassword(password), passwordProblem(password) === undefined, password);
  assert.ok(isTooLong(`${'a'.repeat(256)}1`));
});

test('passkey refusals of the browser get a sentence, and other failures stay unchanged', () => {
  const named = (name: string): Error => Object.assign(new Error('x'), { name });
  assert.equal(passkeyProblem(named('NotAllowedError')), 'cancelled');
  assert.equal(passkeyProblem(named('InvalidStateError')), 'known');
  assert.equal(passkeyProblem(named('SecurityError')), 'wrongPlace');
  assert.equal(passkeyProblem(named('Error')), undefined);
  assert.equal(passkeyProblem('no'), undefined);
});

test('of the stored first steps only existing ones are shown, in their order', () => {
  assert.deepEqual(readSteps('technician,device'), ['device', 'technician']);
  assert.deepEqual(readSteps('<b>,client,'), ['client']);
  assert.deepEqual(readSteps(null), []);
});

test('the command for anyone who is locked out contains the address that was typed, if it is valid', () => {
  assert.equal(
    signInLinkCommand(' ann@example.com '),
    'npx drawbridge sign-in create --email ann@example.com',
  );
  for (const typed of ['', 'ann', 'a@b; rm -rf', '$(id)@example.com'])
    assert.equal(signInLinkCommand(typed), 'npx drawbridge sign-in create --email owner@localhost');
});

test('an address that means the local machine is no address for others', () => {
  for (const only of [
    'https://localhost:8443',
    'https://127.0.0.1',
    'https://127.1.2.3:1',
    'https://[::1]:8443',
  ])
    assert.equal(isLoopbackUrl(only), true, only);
  for (const other of ['https://help.example.com', 'https://10.0.0.7:8443', 'https://localhost.example.com'])
    assert.equal(isLoopbackUrl(other), false, other);
});
