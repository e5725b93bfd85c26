/** E-mail over SMTP, with a connection for each message. A password is sent over TLS only. */
import { createTransport } from 'nodemailer';
import type { Log } from '../platform/log.ts';
import type { MailSettings } from './mail-settings.ts';
import { isMailAddress, type Mail, type Mailer, MailFailure } from './mailer.ts';

/** Of each step; and of all steps together. */
const stepMs = 10_000;
const wholeMs = 20_000;
const answerBytesMax = 64 * 1024;

export class SmtpMailer implements Mailer {
  readonly baseUrl: string;
  readonly #from: MailSettings['from'];
  readonly #transport: ReturnType<typeof transportTo>;
  readonly #log: Log;

  /** @param baseUrl public address of the gateway */
  constructor(settings: MailSettings, baseUrl: string, log: Log) {
    this.baseUrl = baseUrl;
    this.#from = settings.from;
    this.#transport = transportTo(settings);
    this.#log = log;
  }

  async send(to: readonly string[], mail: Mail, stop?: AbortSignal): Promise<void> {
    const addresses = to.filter(isMailAddress);
    if (addresses.length === 0) throw new MailFailure('E-mail cannot be sent to this address', false);
    try {
      await this.#transport.sendMail({
        ...{ from: this.#from, to: addresses.map((address) => ({ name: '', address })), subject: mail.subject },
        ...{ text: mail.text, html: mail.html, headers: { 'Auto-Submitted': 'auto-generated' } },
        ...(mail.id === undefined ? {} : { messageId: `<${mail.id}@${this.#from.address.split('@').at(-1)}>` }),
        ...{ envelope: { from: this.#from.address, to: addresses }, disableFileAccess: true, disableUrlAccess: true },
        signal: AbortSignal.any([AbortSignal.timeout(wholeMs), ...(stop ? [stop] : [])]),
      });
    } catch (error) {
      const { code = null, originalCode = null, responseCode = null, command = null } = error as SmtpError;
      // Without the server's text, which may repeat the address.
      this.#log.error('mail_not_sent', { code, cause: originalCode, answer: responseCode, command });
      throw failureOf(error as SmtpError);
    }
  }
}

interface SmtpError extends Error {
  code?: string;
  /** Of the socket. */
  originalCode?: string;
  responseCode?: number;
  command?: string;
  permanent?: boolean;
}

const transportTo = ({ host, port, security, login, tls }: MailSettings) =>
  createTransport({
    ...{ host, port, secure: security === 'tls', requireTLS: security === 'starttls' || login !== null },
    ...(login ? { auth: login } : {}),
    ...{ connectionTimeout: stepMs, greetingTimeout: stepMs, socketTimeout: stepMs, dnsTimeout: stepMs },
    ...{ maxResponseSize: answerBytesMax, ...(tls ? { tls } : {}) },
  });

const notSecured = 'The connection to the mail server cannot be secured';
const ofCertificate = /CERT|TLS/;

/** By the code of the library's error. */
const sentences: Readonly<Record<string, string>> = {
  ETIMEDOUT: 'The mail server did not answer in time',
  EABORT: 'The mail server did not answer in time',
  ECONNECTION: 'The mail server cannot be reached',
  ESOCKET: 'The mail server cannot be reached',
  EDNS: 'The mail server cannot be reached',
  ETLS: notSecured,
  EAUTH: 'The mail server refused the user name and password of this gateway',
  EENVELOPE: 'The mail server refused the address',
};

function failureOf(error: SmtpError): MailFailure {
  const { code = '', originalCode = '', permanent } = error;
  const sentence = ofCertificate.test(originalCode) ? notSecured : sentences[code];
  return new MailFailure(sentence ?? 'The mail server refused the message', permanent !== true, { cause: error });
}
