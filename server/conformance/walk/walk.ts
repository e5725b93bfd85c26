/**
 * Walks a published OpenAPI document: every provocation is sent, every answer held against the document, and in the end every answer that
 * the document declares for this kind of gateway must have been given. It knows no resource and no composition.
 */
import type { PublishedApi } from '../published/published-api.ts';
import { declaredAnswers, type Target } from './declared.ts';
import { judge } from './judge.ts';
import { type Places, type Provocation, well } from './provocation.ts';
import { send } from './send.ts';

export interface Walked {
  /** How many answers the document declares for this kind of gateway. */
  declared: number;
  /** Answers that nobody provoked. */
  unprovoked: string[];
  /** Answers that are not as declared, or not as expected. */
  problems: string[];
}

/** @param provocations are sent place by place, in their order */
export async function walk(api: PublishedApi, target: Target, places: Places, provocations: readonly Provocation[]): Promise<Walked> {
  const provoked = new Set<string>();
  const problems: string[] = [];
  const ask = async (provocation: Provocation, at: string) => {
    const [method, path] = provocation.call.split(' ');
    const operation = api.operations.find((each) => each.method === method && each.path === path);
    const place = places[at];
    const said = (problem: string) => problems.push(`${provocation.call} at ${at}: ${problem}`);
    if (!operation) return said('the document has no such operation');
    if (!place) return said('there is no such place');
    const judgement = judge(api, target, operation, provocation, await send(place, provocation));
    if (judgement.provoked !== null) provoked.add(judgement.provoked);
    for (const problem of judgement.problems) said(problem);
  };
  for (const [at, there] of Map.groupBy(provocations, (provocation) => provocation.at ?? well)) {
    const during = places[at]?.during ?? ((act) => act());
    await during(async () => {
      for (const provocation of there) await ask(provocation, at);
    });
  }
  const declared = declaredAnswers(api, target);
  return { declared: declared.length, unprovoked: declared.filter((name) => !provoked.has(name)), problems };
}
