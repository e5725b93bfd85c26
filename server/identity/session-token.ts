/**
 * Session token: a JWT with one fixed algorithm. It identifies the login only; its validity and the user's permissions are read from the
 * store with every request, so logout and role changes take effect at once.
 */
import { hkdfSync } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../platform/clock.ts';

const issuer = 'glasshouse';
const audience = 'glasshouse-dashboard';
/** Allowed clock difference. */
const leewaySeconds = 60;

export interface TokenClaims {
  /** Id of the login. */
  sid: string;
  user_id: string;
  email: string;
  tenant_id: string;
  role: string;
  /** ISO 8601. */
  expires_at: string;
}

export class SessionTokens {
  readonly #key: Uint8Array;
  readonly #clock: Clock;

  /** @param secret of the deployment; the signing key is derived from it, so that nothing else is signed with the same one */
  constructor(secret: string, clock: Clock) {
    this.#key = new Uint8Array(hkdfSync('sha256', secret, '', 'glasshouse session token', 32));
    this.#clock = clock;
  }

  sign({ sid, user_id, email, tenant_id, role, expires_at }: TokenClaims): Promise<string> {
    const now = Math.floor(this.#clock.now() / 1000);
    return (
      new SignJWT({ sid, email, tenant_id, role })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(user_id)
        .setIssuedAt(now)
        // The row of the login has its start and end. With `now` here, a clock that is set back would invalidate it.
        .setNotBefore(0)
        .setExpirationTime(Math.floor(Date.parse(expires_at) / 1000))
        .sign(this.#key)
    );
  }

  /** The login of a token. Null for a foreign or expired token. */
  async read(token: string): Promise<{ sid: string; user_id: string; tenant_id: string } | null> {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, this.#key, {
        algorithms: ['HS256'],
        issuer,
        audience,
        clockTolerance: leewaySeconds,
        currentDate: new Date(this.#clock.now()),
        requiredClaims: ['exp', 'nbf', 'sub', 'sid', 'tenant_id'],
      });
      const { sid, sub, tenant_id, aud } = payload;
      const isOurs = protectedHeader.typ === 'JWT' && aud === audience && sub !== undefined;
      if (!isOurs || typeof sid !== 'string' || typeof tenant_id !== 'string') return null;
      return { sid, user_id: sub, tenant_id };
    } catch {
      return null;
    }
  }
}
