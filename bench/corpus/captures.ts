/** Reads a corpus: each folder with an expectation is one capture; its bodies are as they were on the wire. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Expectation } from './expectation.ts';

export type Signal = 'otlp-traces' | 'otlp-logs' | 'otlp-metrics' | 'other';

export interface CapturedRequest {
  capture: string;
  signal: Signal;
  headers: Record<string, string>;
  /** Still compressed when the headers say so. */
  body: Buffer;
}

export interface Capture {
  name: string;
  family: string;
  requests: CapturedRequest[];
  expectation: Expectation;
}

interface RecordedHeaders {
  kind: Signal;
  headers: Record<string, string>;
}

/** @param only keeps the captures whose name contains it */
export function readCaptures(dir: string, only = ''): Capture[] {
  return readdirSync(dir)
    .filter((name) => name.includes(only) && existsSync(join(dir, name, 'expectation.json')))
    .map((name) => ({ name, expectation: readJson<Expectation>(join(dir, name, 'expectation.json')) }))
    .filter(({ expectation }) => Array.isArray(expectation.traces))
    .map(({ name, expectation }) => ({ name, family: expectation.family, expectation, requests: readRequests(dir, name, expectation) }));
}

function readRequests(dir: string, name: string, { wire }: Expectation): CapturedRequest[] {
  return wire.requests.map(({ file, headers: described }) => {
    const { kind, headers } = readJson<RecordedHeaders>(join(dir, name, described));
    return { capture: name, signal: kind, headers, body: readFileSync(join(dir, name, file)) };
  });
}

const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;

/**
 * Splits captures into groups without common trace ids, one store for each. Two captures may have the same trace id from a remote parent
 * that was never exported; in one store they would become one trace, which no expectation describes.
 */
export function conflictFreeGroups(captures: Capture[]): Capture[][] {
  const groups: { captures: Capture[]; ids: Set<string> }[] = [];
  for (const capture of captures) {
    const ids = capture.expectation.traces.map(({ trace_id }) => trace_id);
    let group = groups.find((candidate) => !ids.some((id) => candidate.ids.has(id)));
    if (!group) {
      group = { captures: [], ids: new Set() };
      groups.push(group);
    }
    group.captures.push(capture);
    for (const id of ids) group.ids.add(id);
  }
  return groups.map((group) => group.captures);
}
