/** The published document of the local gateway, walked: every declared answer is given by a real gateway, and nothing else is. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readPublishedApi } from '../conformance/published/published-api.ts';
import { forwarding } from '../conformance/walk/calls/forwarding.ts';
import { everywhere } from '../conformance/walk/calls/index.ts';
import { oneMachine } from '../conformance/walk/calls/one-machine.ts';
import { project, projectOnDisk } from '../conformance/walk/calls/project.ts';
import { traceFiles } from '../conformance/walk/calls/trace-files.ts';
import { derived } from '../conformance/walk/derived.ts';
import { well } from '../conformance/walk/provocation.ts';
import { type Walked, walk } from '../conformance/walk/walk.ts';
import { localPlaces, type Prepared } from '../fixtures/places/local-places.ts';

let prepared: Prepared;
let walked: Walked;

beforeAll(async () => {
  prepared = await localPlaces();
  const api = await readPublishedApi(prepared.places[well]?.url ?? '');
  walked = await walk(api, 'local', prepared.places, [
    ...derived(api, 'local'),
    ...[everywhere, oneMachine, forwarding, project, projectOnDisk, traceFiles].flat(),
  ]);
});

afterAll(() => prepared.stop());

it('every answer is one that the document declares, in its type and of its schema, and the one that was expected', () => {
  expect(walked.problems).toEqual([]);
});

it('every answer that the document declares was given', () => {
  expect(walked.declared).toBeGreaterThan(600);
  expect(walked.unprovoked).toEqual([]);
});
