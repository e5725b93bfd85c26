/** Work that only one gateway may do at a time, among all that share a control store. */

/** A lease that its holder does not renew ends after this long. */
export const leaseMs = 10_000;
/** Pause between renewals: two of them may fail before a lease ends. */
export const renewMs = 3_000;

/** Proof of holding a lease. Whatever the holder writes is written only while the claim is the newest one of its name. */
export interface Claim {
  name: string;
  /** Id of the gateway. */
  holder: string;
  /** Grows with each claim of that name. */
  epoch: number;
}

/** Leases end by the time of the control store, which is that of the database where gateways on several machines share it. */
export interface LeaseStore {
  /** Null while anybody has a lease of that name, the holder included. */
  claim(name: string, holder: string): Promise<Claim | null>;
  /** Extends leases of one holder. @returns those that it still has */
  renew(holder: string, claims: readonly Claim[]): Promise<Claim[]>;
  /** Makes the lease available to others at once. Ignored when the holder has lost it. */
  release(claim: Claim): Promise<void>;
  /** Releases all leases of a holder, for a gateway that stops, or that starts after an earlier process with the same id. */
  releaseAll(holder: string): Promise<void>;
}
