/**
 * The authorisation matrix: every declared route, requested by every kind of caller, about every kind of record, over HTTP. The expected
 * responses follow from the declarations (server/conformance/authorisation/expectation.ts), not from the code under test.
 */
import { Agent } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Route } from '../../../shared/contract/core/route.ts';
import { everyRoute } from '../../app/openapi.ts';
import { type Answer, ask } from '../../conformance/authorisation/ask.ts';
import type { Caller, Owner } from '../../conformance/authorisation/caller.ts';
import { type Expectation, expectedAnswer, isOwnRecord, type Target } from '../../conformance/authorisation/expectation.ts';
import { requestFor } from '../../conformance/authorisation/requests.ts';
import { type AuthorisationStand, authorisationStand } from '../../fixtures/authorisation-stand.ts';
import { hangLimit } from '../../fixtures/cloud-topology.ts';
import type { ControlPlaces } from '../../fixtures/control-places.ts';
import type { DailySample } from '../../fixtures/daily-sample.ts';

const targets: Target[] = ['ours', 'beside', 'theirs', 'mixed', 'missing', 'malformed'];
const concurrency = 12;

let stand: AuthorisationStand;
let agent: Agent;

interface Case {
  route: Route;
  caller: Caller;
}

/** Ends the login that it is requested with, so it comes after all others. */
const isLast = ({ id }: Route) => id === 'log-out';

/**
 * @param places of the control stores; stopped in the end
 * @param sample of the pairs of route and caller
 */
export function describeAuthorisation(places: ControlPlaces, sample: DailySample): void {
  beforeAll(async () => {
    stand = await authorisationStand(await places.next());
    agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  });
  afterAll(async () => {
    agent.destroy();
    await stand.stop();
    await places.stop();
  });

  it(
    'every route admits the callers that it declares, for their own records, and reveals nothing to others',
    async () => {
      const deviations: string[] = [];
      let cells = 0;
      const routes = [...everyRoute.filter((route) => !isLast(route)), ...everyRoute.filter(isLast)];
      const all = routes.flatMap((route) => stand.callers.map((caller): Case => ({ route, caller })));
      const cases = all.filter((_, index) => sample.has(index));
      const checkTargets = async ({ route, caller }: Case): Promise<void> => {
        const notFoundBodies = new Set<string>();
        for (const target of targets) {
          const cell = await cellOf(route, caller, target);
          if (!cell) continue;
          cells++;
          const { answer, expected } = cell;
          const problem = problemOf(route, answer, expected);
          if (problem) deviations.push(`${route.id} by ${caller.name} about ${target}: ${problem}`);
          if (expected.status === 404) notFoundBodies.add(answer.comparable);
        }
        if (notFoundBodies.size > 1)
          deviations.push(
            `${route.id} by ${caller.name}: answers about foreign and missing records differ: ${[...notFoundBodies].join(' | ')}`,
          );
      };
      await inParallel(cases, checkTargets);
      process.stdout.write(
        `authorisation: ${cells} cells, ${routes.length} routes, ${stand.callers.length} callers, ${deviations.length} deviations (${sample.name})\n`,
      );
      expect(deviations).toEqual([]);
      expect(cells).toBeGreaterThan(20_000 / sample.part);
    },
    hangLimit(1_500_000),
  );

  it('no refused request had an effect', async () => {
    const readable: [id: string, name: string][] = everyRoute
      .filter(({ method, path, only, app }) => method === 'GET' && /:\w+$/.test(path) && only !== 'local' && app !== 'none')
      .map(({ id, path }) => [id, path]);
    const lost: string[] = [];
    for (const owner of ['ours', 'beside', 'theirs'] as const)
      for (const [id] of readable) {
        const route = everyRoute.find((candidate) => candidate.id === id) as Route;
        const { api_key: credential } = stand.tenants[owner];
        const fullAccess = stand.callers.find(({ name }) => name === 'Full Access') as Caller;
        const request = requestFor(route, owner, stand.records);
        if (!request || route.credential === 'session') continue;
        const { status } = await ask(agent, stand.url, 'GET', request, { ...fullAccess, credential, of: owner, names: owner }, appIds());
        if (status !== 200) lost.push(`${id} of ${owner}: ${status}`);
      }
    expect(readable.length).toBeGreaterThan(10);
    expect(lost).toEqual([]);
  });
}

const isPublic = ({ permission }: Route): boolean => permission === 'public';
const isOf = ({ errors }: Route, code: string | null): boolean => (errors as readonly (string | null)[]).includes(code);

const appIds = (): Record<Owner, string> => {
  const { ours, beside, theirs } = stand.tenants;
  return { ours: ours.app_id, beside: beside.app_id, theirs: theirs.app_id };
};

async function cellOf(route: Route, caller: Caller, target: Target): Promise<{ answer: Answer; expected: Expectation } | null> {
  const known = { ...stand.records, ours: { ...stand.records.ours, ...caller.owns } };
  const request = requestFor(route, target, known);
  if (!request) return null;
  const expected = expectedAnswer(route, caller, target, request.isMalformed, request.params['runId']);
  const isDeleted =
    expected.status === 'passes' && route.method === 'DELETE' && target !== 'missing' && target !== 'malformed' && target !== 'mixed';
  const spare = isDeleted ? await stand.expendable(route.id, target, caller) : null;
  const records = spare && isDeleted ? { ...known, [target]: { ...known[target], ...spare } } : known;
  const sent = spare ? requestFor(route, target, records) : request;
  if (!sent) return null;
  // Existing records that others need are sent an empty body, which changes nothing.
  const body = sent.body && expected.status === 'passes' && !isOwnRecord(route, caller, target) ? {} : sent.body;
  return { answer: await ask(agent, stand.url, route.method, { ...sent, body }, caller, appIds()), expected };
}

function problemOf(route: Route, { status, code, required, comparable }: Answer, expected: Expectation): string | null {
  const mismatch = `got ${status} ${code ?? ''}, not ${expected.status} ${expected.codes.join(' or ')}`;
  if (expected.status === 'passes') {
    // Codes that do not depend on the caller: no git host is configured, a webhook is not signed.
    const isOwn = isPublic(route) ? isOf(route, code) : status >= 500 && isOf(route, code);
    const isRefused = status === 401 || status === 403 || status === 404 || status >= 500;
    return isRefused && !isOwn ? `${mismatch}: ${comparable.slice(-200)}` : null;
  }
  if (status !== expected.status || !expected.codes.includes(code ?? '')) return mismatch;
  const isByPermission = status === 403 && route.permission !== 'signed-in' && required !== null;
  return isByPermission && required !== (expected.requires ?? route.permission) ? `it requires ${required}` : null;
}

async function inParallel<T>(all: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < all.length) await act(all[next++] as T);
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}
