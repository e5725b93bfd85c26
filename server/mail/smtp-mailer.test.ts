/** E-mail over a real mail server. */

import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type MailServer, startMailServer } from '../fixtures/mail-server.ts';
import { silentLog } from '../platform/log.ts';
import { type MailSettings, readMailSettings } from './mail-settings.ts';
import { mailOf } from './mail-text.ts';
import { SmtpMailer } from './smtp-mailer.ts';

let server: MailServer;
let asking: MailServer;
beforeAll(async () => {
  server = await startMailServer();
  asking = await startMailServer({ isAsking: true });
});
afterAll(() => Promise.all([server.stop(), asking.stop()]));

const mailerOf = (settings: MailSettings) => new SmtpMailer(settings, 'https://g.test', silentLog);
const hello = mailOf('Hello', ['Fine.']);
const failureOf = (sending: Promise<void>) =>
  sending.then(
    () => null,
    ({ message, isTemporary }) => [message, isTemporary],
  );

it('a message arrives as text and as HTML, over STARTTLS, with the login', async () => {
  const mail = mailOf('Grüße', [
    '<b>&"',
    { label: 'Open', url: 'https://g.test/#/a?b=c&d=e' },
    ['one', { label: 'two', url: 'https://g.test' }],
  ]);
  await mailerOf(asking.settings).send(['mira@acme.test', 'pia@acme.test'], { ...mail, id: 'an-id' });
  expect(asking.received).toMatchObject([
    {
      to: ['mira@acme.test', 'pia@acme.test'],
      isOverTls: true,
      user: 'glasshouse@acme.test',
      text: '<b>&"\n\nOpen: https://g.test/#/a?b=c&d=e\n\n- one\n- two: https://g.test\n',
      html: '<!doctype html><html><body><p>&lt;b&gt;&amp;&quot;</p><p><a href="https://g.test/#/a?b=c&amp;d=e">Open</a></p><ul><li>one</li><li><a href="https://g.test">two</a></li></ul></body></html>',
    },
  ]);
  expect(asking.received[0]?.headers).toEqual(
    expect.arrayContaining([
      'From: Glasshouse <glasshouse@acme.test>',
      'Auto-Submitted: auto-generated',
      'To: mira@acme.test, pia@acme.test',
      'Message-ID: <an-id@acme.test>',
    ]),
  );
});

it('a subject cannot add headers, and an address no recipients or commands', async () => {
  const mail = mailOf('Invited\r\nBcc: eve@evil.test\r\n\r\n<script>', ['Fine.']);
  await mailerOf(server.settings).send(['mira@acme.test'], mail);
  const [received] = server.received;
  expect(received?.headers.filter((line) => /^(subject|bcc)/i.test(line))).toEqual(['Subject: Invited Bcc: eve@evil.test <script>']);
  for (const address of [
    'a@b.test,eve@evil.test',
    'a@b.test>\r\nRCPT TO:<eve@evil.test',
    '<eve@evil.test>',
    '"a b"@c.test',
    'eve',
    'a@b@c',
  ])
    expect(await failureOf(mailerOf(server.settings).send([address], hello))).toEqual(['E-mail cannot be sent to this address', false]);
  expect(server.received).toHaveLength(1);
});

it('without TLS neither a password nor a link is sent, unless the settings allow the link', async () => {
  const [plain, wanting] = await Promise.all([startMailServer({ isPlain: true }), startMailServer({ isPlain: true, isAsking: true })]);
  for (const { settings } of [plain, wanting])
    expect((await failureOf(mailerOf(settings).send(['mira@acme.test'], hello)))?.[0]).toBe(
      'The connection to the mail server cannot be secured',
    );
  expect([plain.received, wanting.received, wanting.logins]).toEqual([[], [], 0]);
  expect((await failureOf(mailerOf({ ...wanting.settings, security: 'optional' }).send(['mira@acme.test'], hello)))?.[0]).toBe(
    'The connection to the mail server cannot be secured',
  );
  expect(wanting.logins).toBe(0);
  await mailerOf({ ...plain.settings, security: 'optional' }).send(['mira@acme.test'], hello);
  expect(plain.received).toMatchObject([{ isOverTls: false }]);
  await Promise.all([plain.stop(), wanting.stop()]);
});

it('a failure is one sentence, and says whether a later attempt may succeed', async () => {
  const { settings } = asking;
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const wrong = { user: 'glasshouse@acme.test', pass: 'wrong' };
  const send = (changed: Partial<MailSettings>, stop?: AbortSignal) =>
    failureOf(mailerOf({ ...settings, ...changed }).send(['mira@acme.test'], hello, stop));
  const { port } = silent.address() as AddressInfo;
  expect(await send({ login: wrong })).toEqual(['The mail server refused the user name and password of this gateway', false]);
  expect(await send({ tls: {} })).toEqual(['The connection to the mail server cannot be secured', true]);
  expect(await send({ port }, AbortSignal.timeout(50))).toEqual(['The mail server did not answer in time', true]);
  await new Promise((resolve) => silent.close(resolve));
  expect(await send({ port })).toEqual(['The mail server cannot be reached', true]);
  for (const [refusal, isTemporary] of [
    [450, true],
    [550, false],
  ] as const) {
    server.refusal = refusal;
    expect(await failureOf(mailerOf(server.settings).send(['mira@acme.test'], hello))).toEqual([
      'The mail server refused the address',
      isTemporary,
    ]);
  }
  server.refusal = null;
});

const read = (GLASSHOUSE_SMTP_URL?: string, GLASSHOUSE_MAIL_FROM: string | undefined = 'g@acme.test') =>
  readMailSettings({ GLASSHOUSE_SMTP_URL, GLASSHOUSE_MAIL_FROM, GLASSHOUSE_PUBLIC_URL: 'https://g.test' });

it.each([
  [
    'smtp://mail.test',
    'g@acme.test',
    { host: 'mail.test', port: 587, security: 'starttls', login: null, from: { name: '', address: 'g@acme.test' } },
  ],
  [
    'smtps://a%40b:c%25@mail.test',
    'G H <g@h.test>',
    { port: 465, security: 'tls', login: { user: 'a@b', pass: 'c%' }, from: { name: 'G H', address: 'g@h.test' } },
  ],
  ['smtp://[::1]:25/', ' g@h.test ', { host: '::1', port: 25, security: 'optional', from: { name: '', address: 'g@h.test' } }],
  ['smtp://localhost', 'g@h.test', { security: 'optional' }],
  ['smtp://a:b@localhost', 'g@h.test', { security: 'starttls' }],
  ['smtp://127.0.0.1.mail.test', 'g@h.test', { security: 'starttls' }],
  ['smtp://mail.test/?tls=optional', 'g@h.test', { host: 'mail.test', port: 587, security: 'optional' }],
])('the settings %s and %s', (url, from, settings) => {
  expect(read(url, from)).toMatchObject(settings);
});

it.each([
  ['https://mail.test', undefined, 'GLASSHOUSE_SMTP_URL must be smtp://'],
  ['smtp://user@mail.test', undefined, 'GLASSHOUSE_SMTP_URL must be smtp://'],
  ['smtp://mail.test/?pool=true', undefined, 'GLASSHOUSE_SMTP_URL must be smtp://'],
  ['smtp://a:b@mail.test/?tls=optional', undefined, 'which is sent over TLS only'],
  ['smtps://mail.test/?tls=optional', undefined, 'cannot end with ?tls=optional with smtps:'],
  ['smtp://user:100%@mail.test', undefined, 'GLASSHOUSE_SMTP_URL has a user or a password with a %'],
  ['smtp://mail.test', '', 'belong together'],
  ['', undefined, 'belong together'],
  ['smtp://mail.test', 'nobody', 'GLASSHOUSE_MAIL_FROM must be an address'],
  ['smtp://mail.test', 'a@b.test, c@d.test', 'GLASSHOUSE_MAIL_FROM must be an address'],
])('the settings %j and %j are refused in one sentence', (url, from, sentence) => {
  expect(() => read(url, from)).toThrow(sentence);
});

it('e-mail needs the public address, and none is sent by default', () => {
  const both = { GLASSHOUSE_SMTP_URL: 'smtp://mail.test', GLASSHOUSE_MAIL_FROM: 'g@acme.test' };
  expect(() => readMailSettings(both)).toThrow('needs GLASSHOUSE_PUBLIC_URL');
  expect(readMailSettings({ GLASSHOUSE_PUBLIC_URL: 'https://g.test' })).toBeNull();
});
