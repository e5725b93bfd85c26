import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';
import type { KeyDraft } from './key-store.ts';

/** Public properties of a machine whose request is pending. */
export interface PendingDevice {
  machine_name: string;
  product_version: string;
  ip: string | null;
  created_at: string;
  expires_at: string;
}

export interface DeviceDraft extends Pick<PendingDevice, 'machine_name' | 'product_version' | 'ip' | 'expires_at'> {
  /** Digest of the code that the machine keeps. */
  device_digest: Uint8Array;
  /** Digest of the code that it displays. */
  user_digest: Uint8Array;
  /** SHA-256 in base64url of the verifier that the machine must present at the end. */
  code_challenge: string;
  interval_seconds: number;
}

/** Response to a polling machine. */
export type DeviceState =
  /** `slow_down`: it polled too early, and must poll less often from now on. */
  | { status: 'pending' | 'slow_down'; interval_seconds: number }
  | { status: 'denied' }
  /** Approved by a person, for one of their apps. No key exists yet. */
  | { status: 'approved'; scope: Scope; decided_by: string };

/** Proof that the machine started the request. */
export type DeviceProof = Pick<DeviceDraft, 'device_digest' | 'code_challenge'>;

/** Key without its name and environment, which the request contains. */
export type DeviceKeyDraft = Pick<KeyDraft, 'digest' | 'key_prefix' | 'permissions'>;

/**
 * Device sign-in requests. An undecided request belongs to no tenant, and whoever knows its code may read it; after the decision only the
 * machine finds it, so no tenant learns the decision of another. Expired requests are not found.
 */
export interface DeviceSignInStore {
  /** @throws Duplicate when another machine displays that code */
  start(draft: DeviceDraft): Promise<void>;
  /** Null also after the decision. */
  findPending(userDigest: Uint8Array): Promise<PendingDevice | null>;
  /**
   * Null when no request with that code is pending; the first decision counts.
   * @param max number of keys that the app may have, as in `KeyStore.create`
   * @throws LimitReached
   */
  approve(by: Actor, scope: Scope, userDigest: Uint8Array, environmentId: string, max: number | null): Promise<PendingDevice | null>;
  /** Like `approve`; recorded in the audit log of the tenant. */
  deny(by: Actor, tenantId: string, userDigest: Uint8Array): Promise<boolean>;
  /** Records a poll. Null without a matching request. */
  poll(proof: DeviceProof): Promise<DeviceState | null>;
  /**
   * Creates the approved key and consumes the request, both or neither. Null when it was consumed meanwhile, or its environment was deleted.
   * @returns name of the key's environment
   */
  redeem(by: Actor, scope: Scope, proof: DeviceProof, draft: DeviceKeyDraft): Promise<{ environment: string } | null>;
}
