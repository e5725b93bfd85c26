/**
 * Links this machine to a cloud: it shows a code, a signed-in user approves, and the machine receives a key (RFC 8628, with the proof of RFC
 * 7636). Only that cloud decides about the app and the permissions of the key.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { z } from 'zod';
import { deviceSignIn } from '../../../shared/contract/identity/device-sign-in.ts';
import { challengeOf } from '../../identity/device-codes.ts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import { version } from '../../platform/version.ts';
import { problemOfAddress } from '../cloud-line.ts';
import { type AskCloud, askCloudAt, type CloudReply } from './cloud-question.ts';
import { LinkError, type LinkProblem } from './link-error.ts';

const verifierBytes = 32;
/** Added to the interval after `slow_down` or without an answer, as in RFC 8628. */
const slowDownSeconds = 5;
const intervalSecondsMax = 60;
const lifeSecondsMax = 1800;
const userCodeFormat = /^[A-Z0-9]{2,8}(?:-[A-Z0-9]{2,8}){0,3}$/;
const keyFormat = /^[\x21-\x7e]{8,512}$/;

export interface DeviceLinkOptions {
  /** Name of this machine, shown to the approver, and name of the key. */
  machine_name: string;
  clock?: Clock;
  /** @throws when `signal` is aborted meanwhile */
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

export interface DeviceLink {
  user_code: string;
  /** Approval page with the code. */
  verification_url: string;
  /** ISO 8601, by the clock of this machine. */
  expires_at: string;
  /** Rejects with a LinkError when there will be no key. */
  finished: Promise<LinkedKey>;
  /** Stops polling; `finished` rejects. */
  cancel(): void;
}

type Progress = z.output<typeof deviceSignIn.token.reply>['data'];

/** @throws LinkError when the cloud did not start a link */
export async function startDeviceLink(url: string, options: DeviceLinkOptions): Promise<DeviceLink> {
  const problem = problemOfAddress(url);
  if (problem) throw new LinkError('address', problem);
  const { clock = systemClock, machine_name, sleep = (ms, signal) => wait(ms, undefined, { signal }) } = options;
  const stopping = new AbortController();
  const { origin } = new URL(url);
  const ask = askCloudAt(origin, stopping.signal);
  const code_verifier = randomBytes(verifierBytes).toString('base64url');
  const { device_code, ...link } = await requestLink(ask, { machine_name, code_verifier });
  const lifeMs = link.expires_in * 1000;
  const expiresMs = clock.now() + lifeMs;
  const expiresAt = clock.monotonic() + lifeMs;
  const finished = pollUntilDecided({
    ...{ ask, interval: link.interval, url: origin, proof: { device_code, code_verifier } },
    leftMs: () => expiresAt - clock.monotonic(),
    sleep: (ms) => sleep(ms, stopping.signal),
    isStopped: () => stopping.signal.aborted,
  });
  // Prevents an unhandled rejection before a caller awaits it.
  finished.catch(() => {});
  return {
    user_code: link.user_code,
    verification_url: link.verification_uri_complete,
    expires_at: new Date(expiresMs).toISOString(),
    finished,
    cancel: () => stopping.abort(),
  };
}

interface LinkRequest {
  machine_name: string;
  code_verifier: string;
}

async function requestLink(ask: AskCloud, { machine_name, code_verifier }: LinkRequest) {
  const code_challenge = challengeOf(code_verifier);
  const reply = await ask(deviceSignIn.start.path, { code_challenge, machine_name, product_version: version });
  if (reply.kind === 'silent') throw new LinkError(reply.why);
  if (reply.status !== 200) throw new LinkError(problemOfStatus(reply.status));
  const { data: parsed } = deviceSignIn.start.reply.safeParse(reply.body);
  if (!parsed || !isPlausible(parsed.data)) throw new LinkError('no_glasshouse');
  return parsed.data;
}

type StartedLink = z.output<typeof deviceSignIn.start.reply>['data'];

/** The browser of a user opens the page, so its address must be safe. */
function isPlausible({ user_code, verification_uri_complete: page, expires_in, interval }: StartedLink): boolean {
  const isSafePage = URL.canParse(page) && problemOfAddress(new URL(page).origin) === null;
  const isInTime = expires_in > 0 && expires_in <= lifeSecondsMax && interval > 0 && interval <= intervalSecondsMax;
  return isSafePage && isInTime && userCodeFormat.test(user_code);
}

function problemOfStatus(status: number): LinkProblem {
  if (status === 429) return 'too_often';
  return status >= 500 && status !== 501 ? 'unreachable' : 'no_glasshouse';
}

interface Polling {
  ask: AskCloud;
  /** Seconds. */
  interval: number;
  url: string;
  proof: { device_code: string; code_verifier: string };
  leftMs(): number;
  sleep(ms: number): Promise<unknown>;
  isStopped(): boolean;
}

async function pollUntilDecided({ ask, interval, url, proof, leftMs, sleep, isStopped }: Polling): Promise<LinkedKey> {
  let seconds = interval;
  while (leftMs() > 0) {
    await sleep(Math.min(seconds * 1000, leftMs())).catch(() => {});
    if (isStopped()) throw new LinkError('cancelled');
    const reply = await ask(deviceSignIn.token.path, proof);
    if (isStopped()) throw new LinkError('cancelled');
    const progress = progressOf(reply);
    if (progress === null) seconds = slowedDown(seconds, reply);
    else if (progress.status === 'linked') return keyOf(url, progress);
    else if (progress.status === 'denied' || progress.status === 'expired') throw new LinkError(progress.status);
    else seconds = Math.min(Math.max(seconds, progress.interval), intervalSecondsMax);
  }
  throw new LinkError('expired');
}

/** Null for temporary failures: no answer, or not one of a cloud. */
function progressOf(reply: CloudReply): Progress | null {
  if (reply.kind === 'silent' || reply.status !== 200) return null;
  return deviceSignIn.token.reply.safeParse(reply.body).data?.data ?? null;
}

function slowedDown(seconds: number, reply: CloudReply): number {
  const retryAfter = reply.kind === 'answered' ? (reply.retryAfterSeconds ?? 0) : 0;
  return Math.min(Math.max(seconds + slowDownSeconds, retryAfter), intervalSecondsMax);
}

function keyOf(url: string, { key, app_id, app_name, tenant_name, environment }: Extract<Progress, { status: 'linked' }>): LinkedKey {
  // The key becomes a header of every request.
  if (!keyFormat.test(key)) throw new LinkError('no_glasshouse');
  return { url, key, app_id, app_name, tenant_name, environment };
}

/** Result of a link: a key for one app, and its environment. */
export interface LinkedKey {
  url: string;
  key: string;
  app_id: string;
  app_name: string;
  tenant_name: string;
  environment: string | null;
}
