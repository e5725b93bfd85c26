/**
 * Encryption of stored secrets of other services. A sealed text is bound to its record: a copy of the store reveals nothing, and a text moved
 * to another record cannot be opened.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type DerivedKeys, derivedKeys, type Secrets } from './secrets.ts';

const cipher = 'aes-256-gcm';
const version = 1;
const nonceBytes = 12;
const tagBytes = 16;

export class SealedTexts {
  readonly #keys: DerivedKeys;

  /**
   * @param secrets of the deployment
   * @param purpose gives each use a key of its own
   */
  constructor(secrets: Secrets, purpose: string) {
    this.#keys = derivedKeys(secrets, `glasshouse sealed text: ${purpose}`);
  }

  /** @param owner the record that the text belongs to */
  seal(text: string, owner: string): string {
    const nonce = randomBytes(nonceBytes);
    const sealing = createCipheriv(cipher, this.#keys[0], nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
    return Buffer.concat([Uint8Array.of(version), nonce, sealing.getAuthTag(), sealed]).toString('base64url');
  }

  /** Null when it was not sealed for this record: another secret, another record, or a changed byte. */
  open(sealed: string, owner: string): string | null {
    for (const key of this.#keys) {
      const text = openWith(key, sealed, owner);
      if (text !== null) return text;
    }
    return null;
  }

  /** The same text, sealed with the current secret: `sealed` itself where it was. Null when it cannot be opened. */
  sealAgain(sealed: string, owner: string): string | null {
    if (openWith(this.#keys[0], sealed, owner) !== null) return sealed;
    const text = this.open(sealed, owner);
    return text === null ? null : this.seal(text, owner);
  }
}

function openWith(key: Uint8Array, sealed: string, owner: string): string | null {
  const bytes = Buffer.from(sealed, 'base64url');
  const start = 1 + nonceBytes + tagBytes;
  if (bytes[0] !== version || bytes.length < start) return null;
  const opening = createDecipheriv(cipher, key, bytes.subarray(1, 1 + nonceBytes), { authTagLength: tagBytes });
  opening.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(1 + nonceBytes, start));
  try {
    return Buffer.concat([opening.update(bytes.subarray(start)), opening.final()]).toString('utf8');
  } catch {
    return null;
  }
}
