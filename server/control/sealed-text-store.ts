import type { Scope } from '../platform/scope.ts';

/** Where texts are stored that are sealed with the secret of the deployment. */
export const sealedPlaces = ['git tokens', 'webhook secret', 'previous webhook secret', 'slack token', 'alert channel'] as const;
export type SealedPlace = (typeof sealedPlaces)[number];

export interface StoredSealedText extends Scope {
  /** Of the record: the environment of a webhook's secret, the channel, else the app. */
  id: string;
  sealed: string;
}

/** Sealed texts of all apps, for the change of the secret. It cannot read them. */
export interface SealedTextStore {
  /** By id. @param after id of the last one of the page before; '' for the first page */
  list(place: SealedPlace, after: string, limit: number): Promise<StoredSealedText[]>;
  /** The same text, sealed again. False when the record was changed meanwhile. Not audited, because nothing changes for anybody. */
  replace(place: SealedPlace, text: StoredSealedText, sealed: string): Promise<boolean>;
}
