/** Contract test of the cloud gateway: a real gateway gives every answer that its document declares, and no other. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cloudOnly } from '../conformance/contract/calls/cloud/index.ts';
import { everyGateway } from '../conformance/contract/calls/index.ts';
import { project } from '../conformance/contract/calls/project.ts';
import { type ContractReport, runContractTest } from '../conformance/contract/contract-test.ts';
import { derived, guarded } from '../conformance/contract/derived.ts';
import { healthy } from '../conformance/contract/trigger.ts';
import { readPublishedApi } from '../conformance/published/published-api.ts';
import { cloudFixtures } from '../fixtures/contract/cloud-fixtures.ts';
import type { Prepared } from '../fixtures/contract/local-fixtures.ts';

let prepared: Prepared;
let report: ContractReport;

/** Well over a thousand requests; several minutes where other tests keep the machine busy. */
const hangsAfterMs = 900_000;

beforeAll(async () => {
  prepared = await cloudFixtures();
  const api = await readPublishedApi(prepared.fixtures[healthy]?.url ?? '');
  report = await runContractTest(api, 'cloud', prepared.fixtures, [
    ...guarded(api, 'cloud'),
    ...cloudOnly,
    ...derived(api, 'cloud'),
    ...everyGateway,
    ...project,
  ]);
}, hangsAfterMs);

afterAll(() => prepared.stop());

it('every answer is declared by the document, has its type and schema, and is the expected one', () => {
  expect(report.problems).toEqual([]);
});

it('every answer that the document declares was given', () => {
  expect(report.declared).toBeGreaterThan(1000);
  expect(report.missing).toEqual([]);
});
