/**
 * Secrets that must be read back, sealed for the store: AES-256-GCM under a key derived from the deployment's secret. What a seal is for
 * is bound into it, so a text that is moved to another row, or to another column, cannot be opened there.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const version = 'v1';
const nonceBytes = 12;
const tagBytes = 16;

export class SealedTexts {
  readonly #key: Uint8Array;

  /** @param secret of the deployment. With another one, nothing that was sealed can be opened. */
  constructor(secret: string) {
    this.#key = new Uint8Array(hkdfSync('sha256', secret, '', 'glasshouse sealed text', 32));
  }

  /** @param purpose what the text is and whose: the same must be said to open it */
  seal(text: string, purpose: string): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(purpose));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return `${version}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`;
  }

  /** Null for what we did not seal, for another purpose, or under another secret. */
  open(sealed: string, purpose: string): string | null {
    const [form, body = ''] = sealed.split('.');
    const bytes = Buffer.from(body, 'base64url');
    if (form !== version || bytes.length < nonceBytes + tagBytes) return null;
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
      decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8');
    } catch {
      return null;
    }
  }
}
