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
/** Before each further attempt to send a link, after a failure that may pass. */
const retryPausesMs = [5_000, 30_000] as const;

export class PasswordResets {
  readonly #control: ControlStore;
  readonly #mailer: Mailer;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #finishing = new AbortController();
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
  async finish(): Promise<void> {
    this.#finishing.abort();
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  /** Gives up what is not sent yet. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.finish();
  }

  async #send(email: string, ip: string | null): Promise<void> {
    // At a moment that nobody can predict, because the work for an existing account would delay later answers too.
    await this.#pause(Math.random() * pauseMsMax);
    const user = await this.#control.users.find(email);
    if (!user) return;
    const { code, digest } = newLinkCode();
    const expires_at = new Date(this.#clock.now() + lifeMs).toISOString();
    const by = { kind: 'system', id: 'password-reset', ip } as const;
    if (!(await this.#control.passwordResets.create(by, user.id, { digest, expires_at }, openMax))) return;
    try {
      await this.#deliver(user.email, resetMail(this.#mailer.baseUrl, code, user.email));
    } catch (error) {
      // Else links that nobody has got would keep the account from getting another one.
      await this.#control.passwordResets.withdraw(by, digest);
      throw error;
    }
  }

  /** @throws MailFailure of the last attempt */
  async #deliver(address: string, mail: Mail): Promise<void> {
    for (const pauseMs of retryPausesMs) {
      try {
        return await this.#mailer.send([address], mail, this.#stopping.signal);
      } catch (error) {
        if (!(error instanceof MailFailure && error.isTemporary) || this.#stopping.signal.aborted) throw error;
      }
      await this.#pause(pauseMs);
    }
    await this.#mailer.send([address], mail, this.#stopping.signal);
  }

  /** Ends early when the gateway does. */
  async #pause(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#finishing.signal }).catch(() => undefined);
  }
}

const resetMail = (baseUrl: string, code: string, email: string): Mail =>
  mailOf('Choose a new password for Glasshouse', [
    `Somebody asked for a new password for the account ${email} at ${baseUrl}.`,
    { label: 'Choose a new password', url: resetLinks.to(baseUrl, { code, email }) },
    'The link works once, for an hour. Choosing a password signs you out everywhere.',
    'If it was not you, ignore this e-mail: the password stays as it is.',
  ]);
