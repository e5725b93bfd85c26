/** Sends e-mail. A deployment without it has no mailer. */

export interface Mail {
  subject: string;
  text: string;
  html: string;
  /** The same when it is sent again, so that a repetition is recognised. */
  id?: string;
}

export interface Mailer {
  /** Where links in e-mails lead: the public address of the gateway, without a slash at its end. */
  readonly baseUrl: string;
  /**
   * Resolves when the mail server has accepted the message for at least one of the addresses.
   * @throws MailFailure
   */
  send(to: readonly string[], mail: Mail, stop?: AbortSignal): Promise<void>;
}

export class MailFailure extends Error {
  /** A later attempt may succeed. */
  readonly isTemporary: boolean;

  /** @param message a sentence for people, without addresses or answers of the server */
  constructor(message: string, isTemporary: boolean, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MailFailure';
    this.isTemporary = isTemporary;
  }
}

/** Of a form that every mail server takes, and that cannot be read as several addresses or as a part of a command. */
const addressForm = /^[^\s@<>()[\],;:\\"\p{C}]+@[^\s@<>()[\],;:\\"\p{C}]+$/u;

export const isMailAddress = (text: string): boolean => text.length <= 320 && addressForm.test(text);
