/** All that can be looked for. Secrets come before what is of a person: a password that holds an address is a password. */
import { assignments } from './assignments.ts';
import { authorizations } from './authorizations.ts';
import type { Detector } from './detector.ts';
import { emails } from './emails.ts';
import { ibans } from './ibans.ts';
import { ipv4Addresses, ipv6Addresses } from './ip-addresses.ts';
import { jwts } from './jwts.ts';
import { awsSecrets, azureSecrets, telegramTokens } from './other-keys.ts';
import { paymentCards } from './payment-cards.ts';
import { phones } from './phones.ts';
import { prefixedKeys } from './prefixed-keys.ts';
import { privateKeys } from './private-keys.ts';
import { socialSecurityNumbers } from './social-security.ts';
import { urlPasswords } from './url-passwords.ts';

export const detectors: readonly Detector[] = [
  ...[privateKeys, prefixedKeys, awsSecrets, azureSecrets, telegramTokens, jwts, urlPasswords, authorizations, assignments],
  ...[emails, paymentCards, ibans, socialSecurityNumbers, phones, ipv4Addresses, ipv6Addresses],
];
