/** Links to choose a new password, over a real mail server that refuses some of them. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ControlStore } from '../control/control-store.ts';
import { openSqliteControl } from '../control/sqlite/open.ts';
import { type MailServer, startMailServer } from '../fixtures/mail-server.ts';
import { SmtpMailer } from '../mail/smtp-mailer.ts';
import { systemClock } from '../platform/clock.ts';
import { silentLog } from '../platform/log.ts';
import { PasswordResets } from './password-resets.ts';

const by = { kind: 'system', id: 'test', ip: null } as const;
const dataDir = mkdtempSync(join(tmpdir(), 'glasshouse-resets-'));
let mail: MailServer;
let control: ControlStore;
beforeAll(async () => {
  mail = await startMailServer();
  control = openSqliteControl(dataDir, systemClock);
});
afterAll(async () => {
  await control.stop();
  await mail.stop();
  rmSync(dataDir, { recursive: true });
});

async function anAddress(): Promise<string> {
  const { email } = await control.users.ensure(by, { email: `${randomUUID()}@acme.test`, name: null, password_hash: 'forgotten' });
  return email;
}

const resetsOver = (server: MailServer) =>
  new PasswordResets(control, new SmtpMailer(server.settings, 'https://g.test', silentLog), systemClock, silentLog);

it.each([450, 550])('links that the mail server refuses with %i do not keep the account from getting one later', async (refusal) => {
  const email = await anAddress();
  const before = mail.received.length;
  mail.refusal = refusal;
  const refused = resetsOver(mail);
  for (let link = 0; link < 3; link++) refused.request(email, null);
  await refused.finish();
  mail.refusal = null;
  expect(mail.received).toHaveLength(before);

  const taken = resetsOver(mail);
  taken.request(email, null);
  await taken.finish();
  expect(mail.received.slice(before).map(({ to }) => to)).toEqual([[email]]);
});

it('a link is sent again after a failure that passes', async () => {
  const email = await anAddress();
  const before = mail.received.length;
  const { refusals } = mail;
  const resets = resetsOver(mail);
  mail.refusal = 450;
  resets.request(email, null);
  const finished = resets.finish();
  while (mail.refusals === refusals) await new Promise(setImmediate);
  mail.refusal = null;
  await finished;
  expect(mail.received).toHaveLength(before + 1);
});

it('a gateway that stops does not wait for a mail server that does not answer', async () => {
  const silent = await startMailServer({ isSilent: true });
  const resets = resetsOver(silent);
  resets.request(await anAddress(), null);
  const finished = resets.finish();
  await silent.connected;
  await resets.stop();
  await finished;
  expect(silent.received).toEqual([]);
  await silent.stop();
});
