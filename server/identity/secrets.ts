/** The secret of the installation, and keys that are derived from it: one for each use, so that nothing else is signed with the same one. */
import { hkdfSync } from 'node:crypto';

/** The current secret first: everything new is made with it. What was made with the others is accepted too, while the secret is changed. */
export type Secrets = readonly [current: string, ...others: string[]];

/** @param previousSecret the one before, or the one after while a fleet is changed */
export const secretsOf = ({ secret, previousSecret = null }: { secret: string; previousSecret?: string | null }): Secrets =>
  previousSecret === null || previousSecret === secret ? [secret] : [secret, previousSecret];

export type DerivedKeys = readonly [current: Uint8Array, ...others: Uint8Array[]];

/** @param use name that no other use of the secret has */
export function derivedKeys([current, ...others]: Secrets, use: string): DerivedKeys {
  const keyOf = (secret: string) => new Uint8Array(hkdfSync('sha256', secret, '', use, 32));
  return [keyOf(current), ...others.map(keyOf)];
}
