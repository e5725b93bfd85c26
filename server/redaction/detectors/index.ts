/** All that can be looked for. Secrets come before what is of a person: a password that holds an address is a password. */
import { assignments, authorizations, urlPasswords } from './credentials.ts';
import { emails } from './emails.ts';
import { awsSecrets, azureSecrets, jwts, prefixedKeys, privateKeys, telegramTokens } from './keys.ts';
import { ibans, ipv4Addresses, ipv6Addresses, paymentCards, phones, socialSecurityNumbers } from './numbers.ts';
import type { Detector } from './search.ts';

export const detectors: readonly Detector[] = [
  ...[privateKeys, prefixedKeys, awsSecrets, azureSecrets, telegramTokens, jwts, urlPasswords, authorizations, assignments],
  ...[emails, paymentCards, ibans, socialSecurityNumbers, phones, ipv4Addresses, ipv6Addresses],
];
