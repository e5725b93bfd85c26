/** New passwords for people who forgot theirs, by a link that is sent to the address of the account. */
import { setTimeout as pause } from 'node:timers/promises';
import { resetLinks } from '../../shared/code-links.ts';
import type { ControlStore } from '../control/control-store.ts';
import { mailOf } from '../mail/mail-text.ts';
import { type Mail, type Mailer, MailFailure } from '../mail/mailer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { linkDigestOf, newLinkCode } from './link-code.ts';
import { hashPassword } from './password.ts';

const lifeMs = 60 * 60 * 1000;
/** Links that one account can have at a time, so that nobody fills its mailbox. */
const openMax = 3;
const pauseMsMax = 1000;

export class PasswordResets {
  readonly #control: ControlStore;
  readonly #mailer: Mailer;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #stopping = new AbortController();
  readonly #pending = new Set<Promise<void>>();

  constructor(control: ControlStore, mailer: Mailer, clock: Clock, log: Log) {
    this.#control = control;
    this.#mailer = mailer;
    this.#clock = clock;
    this.#log = log;
  }

  /** Returns at once. Whether there is such an account shows neither in the answer nor in its time. */
  request(email: string, ip: string | null): void {
    const work = this.#send(email, ip).catch((error) => {
      // The mailer has logged its own failures.
      if (!(error instanceof MailFailure)) this.#log.error('password_reset_not_sent', { reason: String(error) });
    });
    this.#pending.add(work);
    void work.then(() => this.#pending.delete(work));
  }

  /**
   * False for a code that was used, has expired or was never sent.
   * @throws PasswordsBusy
   */
  async use(code: string, password: string, ip: string | null): Promise<boolean> {
    const digest = linkDigestOf(code);
    const user = await this.#control.passwordResets.find(digest);
    return user !== null && this.#control.passwordResets.use({ kind: 'user', id: user.id, ip }, digest, await hashPassword(password));
  }

  /** Sends what was asked for, without a pause. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#pending);
  }

  async #send(email: string, ip: string | null): Promise<void> {
    // At a moment that nobody can predict, because the work for an existing account would delay later answers too.
    await pause(Math.random() * pauseMsMax, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
    const user = await this.#control.users.find(email);
    if (!user) return;
    const { code, digest } = newLinkCode();
    const expires_at = new Date(this.#clock.now() + lifeMs).toISOString();
    const by = { kind: 'system', id: 'password-reset', ip } as const;
    if (await this.#control.passwordResets.create(by, user.id, { digest, expires_at }, openMax))
      await this.#mailer.send([user.email], resetMail(this.#mailer.baseUrl, code, user.email));
  }
}

const resetMail = (baseUrl: string, code: string, email: string): Mail =>
  mailOf('Choose a new password for Glasshouse', [
    `Somebody asked for a new password for the account ${email} at ${baseUrl}.`,
    { label: 'Choose a new password', url: resetLinks.to(baseUrl, { code, email }) },
    'The link works once, for an hour. Choosing a password signs you out everywhere.',
    'If it was not you, ignore this e-mail: the password stays as it is.',
  ]);
