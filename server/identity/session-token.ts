/**
 * Session token: a JWT with one fixed algorithm. It identifies the login only; its validity and the user's permissions are read from the
 * store with every request, so logout and role changes take effect at once.
 */
import { type JWTVerifyResult, jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../platform/clock.ts';
import { type DerivedKeys, derivedKeys, type Secrets } from './secrets.ts';

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
  readonly #keys: DerivedKeys;
  readonly #clock: Clock;

  /** @param secrets of the deployment */
  constructor(secrets: Secrets, clock: Clock) {
    this.#keys = derivedKeys(secrets, 'glasshouse session token');
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
        .sign(this.#keys[0])
    );
  }

  /** The login of a token. Null for a foreign or expired token. */
  async read(token: string): Promise<{ sid: string; user_id: string; tenant_id: string } | null> {
    for (const key of this.#keys) {
      const verified = await this.#verify(token, key);
      if (!verified) continue;
      const { sid, sub, tenant_id, aud } = verified.payload;
      const isOurs = verified.protectedHeader.typ === 'JWT' && aud === audience && sub !== undefined;
      if (!isOurs || typeof sid !== 'string' || typeof tenant_id !== 'string') return null;
      return { sid, user_id: sub, tenant_id };
    }
    return null;
  }

  async #verify(token: string, key: Uint8Array): Promise<JWTVerifyResult | null> {
    try {
      return await jwtVerify(token, key, {
        algorithms: ['HS256'],
        issuer,
        audience,
        clockTolerance: leewaySeconds,
        currentDate: new Date(this.#clock.now()),
        requiredClaims: ['exp', 'nbf', 'sub', 'sid', 'tenant_id'],
      });
    } catch {
      return null;
    }
  }
}
