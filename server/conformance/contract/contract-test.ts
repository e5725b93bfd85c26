/**
 * Contract test of a published OpenAPI document: sends every trigger, compares each answer with the document, and reports the declared
 * answers that no trigger brought about. Knows no resource and no kind of gateway.
 */
import type { PublishedApi } from '../published/published-api.ts';
import { declaredAnswers, type Target } from './declared.ts';
import { judge } from './judge.ts';
import { send } from './send.ts';
import { type GatewayFixtures, healthy, type Trigger } from './trigger.ts';

export interface ContractReport {
  /** Number of answers that the document declares for this kind of gateway. */
  declared: number;
  /** Declared answers that no trigger brought about. */
  missing: string[];
  /** Answers that differ from the document or from the expectation. */
  problems: string[];
}

/** @param triggers sent fixture by fixture, in their order */
export async function runContractTest(
  api: PublishedApi,
  target: Target,
  fixtures: GatewayFixtures,
  triggers: readonly Trigger[],
): Promise<ContractReport> {
  const triggered = new Set<string>();
  const problems: string[] = [];
  const ask = async (trigger: Trigger, at: string) => {
    const [method, path] = trigger.call.split(' ');
    const operation = api.operations.find((candidate) => candidate.method === method && candidate.path === path);
    const fixture = fixtures[at];
    const report = (problem: string) => problems.push(`${trigger.call} at ${at}: ${problem}`);
    if (!operation) return report('the document has no such operation');
    if (!fixture) return report('there is no such fixture');
    const judgement = judge(api, target, operation, trigger, await send(fixture, trigger));
    if (judgement.triggered !== null) triggered.add(judgement.triggered);
    for (const problem of judgement.problems) report(problem);
  };
  for (const [at, ofFixture] of Map.groupBy(triggers, (trigger) => trigger.at ?? healthy)) {
    const during = fixtures[at]?.during ?? ((act) => act());
    await during(async () => {
      for (const trigger of ofFixture) await ask(trigger, at);
    });
  }
  const declared = declaredAnswers(api, target);
  return { declared: declared.length, missing: declared.filter((name) => !triggered.has(name)), problems };
}
