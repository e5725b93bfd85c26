/** Ids of traces in the order of a SQLite store: readable ids are texts and others are bytes, each in an order of its own. */
export const storedKinds = [
  { kind: 'text', first: '' },
  { kind: 'blob', first: Buffer.alloc(0) },
] as const;

const isHex = "match(trace_id, '^([0-9a-f]{32}|[0-9a-f]{16})$')";

/** A condition of ClickHouse with its parameters. */
export interface TraceRange {
  condition: string;
  params: Record<string, unknown>;
}

/** @param last is included; null for all after the first */
export function rangeOfTraces(kind: (typeof storedKinds)[number]['kind'], after: unknown, last: unknown): TraceRange {
  const text = (id: unknown) => (typeof id === 'string' ? id : (id as Buffer).toString('hex'));
  const upTo = last === null ? '' : ' AND trace_id <= {last:String}';
  return {
    condition: `${kind === 'blob' ? isHex : `NOT ${isHex}`} AND trace_id > {after:String}${upTo}`,
    params: { after: text(after), ...(last !== null && { last: text(last) }) },
  };
}
