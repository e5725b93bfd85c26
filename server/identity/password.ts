/** Passwords as scrypt hashes with their parameters: `scrypt$N$r$p$salt$hash`, base64url. */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/** Parameters of scrypt. */
export type PasswordCost = Readonly<Record<'N' | 'r' | 'p', number>>;

/** 32 MiB and about 80 ms each: OWASP's second recommendation for scrypt. */
const ordinaryCost: PasswordCost = { N: 2 ** 15, r: 8, p: 3 };
const hashBytes = 32;

/** Node's thread pool has four threads, shared with file reads and name lookups. */
const concurrency = 2;
/** More would wait longer than people do: a check takes up to half a second, and two run at once. */
const queueMax = 32;
let running = 0;
const queue: (() => void)[] = [];

/** Too many password checks are pending: retry in a moment. */
export class PasswordsBusy extends Error {}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < concurrency) running++;
  else if (queue.length < queueMax) await new Promise<void>((resolve) => queue.push(resolve));
  else throw new PasswordsBusy('Too many passwords are being checked');
  try {
    return await work();
  } finally {
    const next = queue.shift();
    // Passes the slot to the next one, or frees it.
    if (next) next();
    else running--;
  }
}

const derive = (password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> =>
  inTurn(
    () =>
      new Promise((resolve, reject) =>
        scrypt(password.normalize('NFKC'), salt, hashBytes, { ...options, maxmem: 256 * 1024 * 1024 }, (error, hash) =>
          error ? reject(error) : resolve(hash),
        ),
      ),
  );

export async function hashPassword(password: string, cost = ordinaryCost): Promise<string> {
  const salt = randomBytes(16);
  return written(salt, await derive(password, salt, cost), cost);
}

const written = (salt: Buffer, hash: Buffer, cost: PasswordCost): string =>
  ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$');

/** Belongs to no password. It is not derived, because that takes 0.2 s of processor time and 32 MiB at every start. */
const dummyHash = written(randomBytes(16), randomBytes(hashBytes), ordinaryCost);

/** @param stored null for an unknown user or one without a password: takes as long as a real check, so that the time reveals nothing */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, n, r, p, salt = '', hash = ''] = (stored ?? dummyHash).split('$');
  const derived = await derive(password, Buffer.from(salt, 'base64url'), { N: Number(n), r: Number(r), p: Number(p) });
  return timingSafeEqual(derived, Buffer.from(hash, 'base64url')) && stored !== null;
}
