import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';
import type { KeyDraft } from './key-store.ts';

/** What is known of a machine that waits; nothing of it is secret. */
export interface WaitingDevice {
  machine_name: string;
  product_version: string;
  ip: string | null;
  created_at: string;
  expires_at: string;
}

export interface DeviceDraft extends Pick<WaitingDevice, 'machine_name' | 'product_version' | 'ip' | 'expires_at'> {
  /** Of the code that the machine keeps. */
  device_digest: Uint8Array;
  /** Of the code that it shows. */
  user_digest: Uint8Array;
  /** SHA-256 in base64url of what it must show at the end. */
  code_challenge: string;
  interval_seconds: number;
}

/** What a machine is told that asks. */
export type DeviceState =
  /** `slow_down`: it asked too soon, and must wait longer from now on. */
  | { status: 'pending' | 'slow_down'; interval_seconds: number }
  | { status: 'denied' }
  /** By a person, for an app of theirs. Nothing was made yet. */
  | { status: 'approved'; scope: Scope; decided_by: string };

/** How a machine shows that it is the one that began. */
export type DeviceProof = Pick<DeviceDraft, 'device_digest' | 'code_challenge'>;

/** All of the key but its name and environment, which the request says. */
export type DeviceKeyDraft = Pick<KeyDraft, 'digest' | 'key_prefix' | 'permissions'>;

/**
 * Requests of machines for a key. Until somebody decides they are of no tenant, and who knows the code may read what asks; from then on
 * only the machine finds them, so no tenant learns what another decided. Those whose time is over are as if they had never been.
 */
export interface DeviceSignInStore {
  /** @throws Duplicate when a machine shows that code already */
  start(draft: DeviceDraft): Promise<void>;
  /** Null too when it was decided on. */
  findWaiting(userDigest: Uint8Array): Promise<WaitingDevice | null>;
  /** Null when none waits by that code, or not any more: the first who decides has decided. */
  approve(by: Actor, scope: Scope, userDigest: Uint8Array, environmentId: string): Promise<WaitingDevice | null>;
  /** As `approve`; by somebody of a tenant, whose log it goes into. */
  deny(by: Actor, tenantId: string, userDigest: Uint8Array): Promise<boolean>;
  /** How many keys of the app were agreed to and not fetched. */
  countApproved(scope: Scope): Promise<number>;
  /** Notes that the machine asked. Null when there is none that can show so. */
  ask(proof: DeviceProof): Promise<DeviceState | null>;
  /**
   * Makes the key that was agreed to and spends the request, both or neither. Null when it was spent meanwhile, or its environment is gone.
   * @returns the name of the environment that the key writes to
   */
  redeem(by: Actor, scope: Scope, proof: DeviceProof, draft: DeviceKeyDraft): Promise<{ environment: string } | null>;
}
