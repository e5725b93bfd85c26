import { useState } from 'react';

interface Attempted {
  data: unknown;
  /** Null while another attempt runs. */
  error: Error | null;
  errorUpdateCount: number;
}

/** Why the last attempt to load something failed, also while the next one runs; null once it is loaded, or another thing is asked for. */
export function useLastError({ data, error, errorUpdateCount }: Attempted): Error | null {
  const [last, setLast] = useState(error);
  const isMissing = data === undefined && errorUpdateCount > 0;
  const current = isMissing ? (error ?? last) : null;
  if (current !== last) setLast(current);
  return isMissing ? current : error;
}
