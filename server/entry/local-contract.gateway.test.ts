/** Contract test of the local gateway: a real gateway gives every answer that its document declares, and no other. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { forwarding } from '../conformance/contract/calls/forwarding.ts';
import { everyGateway } from '../conformance/contract/calls/index.ts';
import { oneMachine } from '../conformance/contract/calls/one-machine.ts';
import { project, projectOnDisk } from '../conformance/contract/calls/project.ts';
import { traceFiles } from '../conformance/contract/calls/trace-files.ts';
import { type ContractReport, runContractTest } from '../conformance/contract/contract-test.ts';
import { derived } from '../conformance/contract/derived.ts';
import { healthy } from '../conformance/contract/trigger.ts';
import { readPublishedApi } from '../conformance/published/published-api.ts';
import { localFixtures, type Prepared } from '../fixtures/contract/local-fixtures.ts';

let prepared: Prepared;
let report: ContractReport;

/** Well over a thousand requests; several minutes where other tests keep the machine busy. */
const hangsAfterMs = 900_000;

beforeAll(async () => {
  prepared = await localFixtures();
  const api = await readPublishedApi(prepared.fixtures[healthy]?.url ?? '');
  report = await runContractTest(api, 'local', prepared.fixtures, [
    ...derived(api, 'local'),
    ...[everyGateway, oneMachine, forwarding, project, projectOnDisk, traceFiles].flat(),
  ]);
}, hangsAfterMs);

afterAll(() => prepared.stop());

it('every answer is declared by the document, has its type and schema, and is the expected one', () => {
  expect(report.problems).toEqual([]);
});

it('every answer that the document declares was given', () => {
  expect(report.declared).toBeGreaterThan(600);
  expect(report.missing).toEqual([]);
});
