/** Contract test of the cloud gateway: a real gateway gives every answer that its document declares, and no other. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cloudOnly } from '../../conformance/contract/calls/cloud/index.ts';
import { everyGateway } from '../../conformance/contract/calls/index.ts';
import { project } from '../../conformance/contract/calls/project.ts';
import { type ContractReport, runContractTest } from '../../conformance/contract/contract-test.ts';
import { derived, guarded } from '../../conformance/contract/derived.ts';
import { healthy } from '../../conformance/contract/trigger.ts';
import { readPublishedApi } from '../../conformance/published/published-api.ts';
import { hangLimit } from '../../fixtures/cloud-topology.ts';
import { cloudFixtures } from '../../fixtures/contract/cloud-fixtures.ts';
import type { FaultyControls } from '../../fixtures/contract/control-faults.ts';
import type { Prepared } from '../../fixtures/contract/local-fixtures.ts';

let prepared: Prepared;
let report: ContractReport;

/** Well over a thousand requests; several minutes where other tests keep the machine busy. */
const hangsAfterMs = hangLimit(1_500_000);

/** @param controls control stores that can be made to fail; stopped in the end */
export function describeCloudContract(controls: FaultyControls): void {
  beforeAll(async () => {
    prepared = await cloudFixtures(controls);
    const api = await readPublishedApi(prepared.fixtures[healthy]?.url ?? '');
    report = await runContractTest(api, 'cloud', prepared.fixtures, [
      ...guarded(api, 'cloud'),
      ...cloudOnly,
      ...derived(api, 'cloud'),
      ...everyGateway,
      ...project,
    ]);
  }, hangsAfterMs);

  afterAll(async () => {
    await prepared.stop();
    await controls.stop();
  });

  it('every answer is declared by the document, has its type and schema, and is the expected one', () => {
    expect(report.problems).toEqual([]);
  });

  it('every answer that the document declares was given', () => {
    process.stdout.write(`contract: ${report.declared} declared answers, ${report.missing.length} missing\n`);
    expect(report.declared).toBeGreaterThan(1000);
    expect(report.missing).toEqual([]);
  });
}
