/** Labels of the detected kinds of secrets. */
import { type HiddenKind, hiddenKinds } from '../../../shared/contract/operations/redaction.ts';

const labels: Record<HiddenKind, { label: string; help: string; one: string; many: string }> = {
  api_key: { label: 'API keys', help: 'of well-known services, by format', one: 'API key', many: 'API keys' },
  private_key: { label: 'Private keys', help: 'PEM', one: 'private key', many: 'private keys' },
  jwt: { label: 'Web tokens', help: 'JWT', one: 'web token', many: 'web tokens' },
  credential: { label: 'Passwords', help: 'password=…, Bearer …, in addresses', one: 'password', many: 'passwords' },
  email: { label: 'E-mail addresses', help: '', one: 'e-mail address', many: 'e-mail addresses' },
  card: { label: 'Payment cards', help: 'with a valid check digit', one: 'card number', many: 'card numbers' },
  iban: { label: 'Bank accounts', help: 'IBAN', one: 'bank account', many: 'bank accounts' },
  ssn: { label: 'US social security', help: '123-45-6789', one: 'social security number', many: 'social security numbers' },
  phone: { label: 'Phone numbers', help: 'starting with +', one: 'phone number', many: 'phone numbers' },
  ip: { label: 'IP addresses', help: 'may also match version numbers', one: 'IP address', many: 'IP addresses' },
};

export const kindChoices = hiddenKinds.map((kind) => ({ kind, ...labels[kind] }));

export const kindLabel = (kind: HiddenKind): string => labels[kind].one;

/** Count with its noun, such as `2 e-mail addresses`. */
export const kindCount = (kind: HiddenKind, count: number): string => `${count} ${count === 1 ? labels[kind].one : labels[kind].many}`;
