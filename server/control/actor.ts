/** Who does something, as the audit log names them. */
export interface Actor {
  kind: 'user' | 'key' | 'system';
  /** Of the user or key; what part of us it is otherwise. */
  id: string;
  /** Where the request came from; null for our own doing. */
  ip: string | null;
}

/** As records name whoever made or changed them: a user's id, or `api_key:` and the key's (docs/reference/records.md#actors). */
export const signatureOf = ({ kind, id }: Actor): string => (kind === 'user' ? id : `${kind === 'key' ? 'api_key' : kind}:${id}`);

/** For columns that hold users only. */
export const userIdOf = ({ kind, id }: Actor): string | null => (kind === 'user' ? id : null);
