/** Who does something, as recorded in the audit log. */
export interface Actor {
  kind: 'user' | 'key' | 'system';
  /** Id of the user or key, or name of the internal component. */
  id: string;
  /** IP address of the request; null for internal actions. */
  ip: string | null;
}

/** Author in records: a user id, or `api_key:` and the key's id (docs/reference/records.md#actors). */
export const signatureOf = ({ kind, id }: Actor): string => (kind === 'user' ? id : `${kind === 'key' ? 'api_key' : kind}:${id}`);

/** For columns with user ids only. */
export const userIdOf = ({ kind, id }: Actor): string | null => (kind === 'user' ? id : null);
