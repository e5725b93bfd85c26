/**
 * What the gateways of one installation share beside the control store, so that a promise that one gateway keeps is kept by several. None of
 * it needs to survive a crash of the database.
 */
export interface Coordination {
  stop(): Promise<void>;
}
