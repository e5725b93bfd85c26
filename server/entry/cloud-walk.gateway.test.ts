/** The published document of the cloud gateway, walked: every declared answer is given by a real gateway, and nothing else is. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readPublishedApi } from '../conformance/published/published-api.ts';
import { cloudOnly } from '../conformance/walk/calls/cloud/index.ts';
import { everywhere } from '../conformance/walk/calls/index.ts';
import { project } from '../conformance/walk/calls/project.ts';
import { derived, guarded } from '../conformance/walk/derived.ts';
import { well } from '../conformance/walk/provocation.ts';
import { type Walked, walk } from '../conformance/walk/walk.ts';
import { cloudPlaces } from '../fixtures/places/cloud-places.ts';
import type { Prepared } from '../fixtures/places/local-places.ts';

let prepared: Prepared;
let walked: Walked;

beforeAll(async () => {
  prepared = await cloudPlaces();
  const api = await readPublishedApi(prepared.places[well]?.url ?? '');
  walked = await walk(api, 'cloud', prepared.places, [
    ...guarded(api, 'cloud'),
    ...cloudOnly,
    ...derived(api, 'cloud'),
    ...everywhere,
    ...project,
  ]);
});

afterAll(() => prepared.stop());

it('every answer is one that the document declares, in its type and of its schema, and the one that was expected', () => {
  expect(walked.problems).toEqual([]);
});

it('every answer that the document declares was given', () => {
  expect(walked.declared).toBeGreaterThan(1000);
  expect(walked.unprovoked).toEqual([]);
});
