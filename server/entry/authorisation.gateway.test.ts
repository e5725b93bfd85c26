/**
 * The authorisation matrix: every declared route, asked by everybody, about records of every kind, over HTTP. What must come out is said by
 * the declarations (server/conformance/authorisation/expectation.ts), not by the code that lets people in.
 */
import { Agent } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Route } from '../../shared/contract/core/route.ts';
import { everyRoute } from '../app/openapi.ts';
import { type Answered, ask } from '../conformance/authorisation/ask.ts';
import type { Caller, Whose } from '../conformance/authorisation/caller.ts';
import { type Expectation, expectedAnswer, type Target } from '../conformance/authorisation/expectation.ts';
import { requestFor } from '../conformance/authorisation/requests.ts';
import { type AuthorisationStand, authorisationStand } from '../fixtures/authorisation-stand.ts';

const targets: Target[] = ['ours', 'beside', 'theirs', 'mixed', 'missing', 'malformed'];
const atOnce = 12;

let stand: AuthorisationStand;
let agent: Agent;

beforeAll(async () => {
  stand = await authorisationStand();
  agent = new Agent({ keepAlive: true, maxSockets: atOnce });
});
afterAll(async () => {
  agent.destroy();
  await stand.stop();
});

interface Asking {
  route: Route;
  caller: Caller;
}

/** Ends the login that it is asked with, so it comes after all others. */
const isLast = ({ id }: Route) => id === 'log-out';

it('every route lets in whom its declaration lets in, about what is theirs, and tells others nothing', async () => {
  const deviations: string[] = [];
  let cells = 0;
  const routes = [...everyRoute.filter((route) => !isLast(route)), ...everyRoute.filter(isLast)];
  const askings = routes.flatMap((route) => stand.callers.map((caller): Asking => ({ route, caller })));
  const judgeAll = async ({ route, caller }: Asking): Promise<void> => {
    const unreached = new Set<string>();
    for (const target of targets) {
      const found = await cellOf(route, caller, target);
      if (!found) continue;
      cells++;
      const { answer, expected } = found;
      const problem = problemOf(route, answer, expected);
      if (problem) deviations.push(`${route.id} by ${caller.name} about ${target}: ${problem}`);
      if (expected.status === 404) unreached.add(answer.said);
    }
    if (unreached.size > 1)
      deviations.push(`${route.id} by ${caller.name}: what is foreign and what is missing differ: ${[...unreached].join(' | ')}`);
  };
  await inParallel(askings, judgeAll);
  process.stdout.write(
    `authorisation: ${cells} cells, ${routes.length} routes, ${stand.callers.length} callers, ${deviations.length} deviations\n`,
  );
  expect(deviations).toEqual([]);
  expect(cells).toBeGreaterThan(20_000);
}, 840_000);

it('nothing that was refused was done all the same', async () => {
  const kept: [id: string, name: string][] = everyRoute
    .filter(({ method, path, only, app }) => method === 'GET' && /:\w+$/.test(path) && only !== 'local' && app !== 'none')
    .map(({ id, path }) => [id, path]);
  const gone: string[] = [];
  for (const whose of ['ours', 'beside', 'theirs'] as const)
    for (const [id] of kept) {
      const route = everyRoute.find((each) => each.id === id) as Route;
      const { api_key: credential } = stand.tenants[whose];
      const owner = stand.callers.find(({ name }) => name === 'Full Access') as Caller;
      const asked = requestFor(route, whose, stand.records);
      if (!asked || route.credential === 'session') continue;
      const { status } = await ask(agent, stand.url, 'GET', asked, { ...owner, credential, of: whose, names: whose }, appIds());
      if (status !== 200) gone.push(`${id} of ${whose}: ${status}`);
    }
  expect(kept.length).toBeGreaterThan(10);
  expect(gone).toEqual([]);
});

const isPublic = ({ permission }: Route): boolean => permission === 'public';
const isOf = ({ errors }: Route, code: string | null): boolean => (errors as readonly (string | null)[]).includes(code);

const appIds = (): Record<Whose, string> => {
  const { ours, beside, theirs } = stand.tenants;
  return { ours: ours.app_id, beside: beside.app_id, theirs: theirs.app_id };
};

async function cellOf(route: Route, caller: Caller, target: Target): Promise<{ answer: Answered; expected: Expectation } | null> {
  const asked = requestFor(route, target, stand.records);
  if (!asked) return null;
  const expected = expectedAnswer(route, caller, target, asked.isMalformed, asked.params['runId']);
  const isDone =
    expected.status === 'passes' && route.method === 'DELETE' && target !== 'missing' && target !== 'malformed' && target !== 'mixed';
  const spare = isDone ? await stand.expendable(route.id, target) : null;
  const records = spare && isDone ? { ...stand.records, [target]: { ...stand.records[target], ...spare } } : stand.records;
  const request = spare ? requestFor(route, target, records) : asked;
  if (!request) return null;
  // What is there is asked with nothing, which changes nothing.
  const body = request.body && expected.status === 'passes' ? {} : request.body;
  return { answer: await ask(agent, stand.url, route.method, { ...request, body }, caller, appIds()), expected };
}

function problemOf(route: Route, { status, code, required, said }: Answered, expected: Expectation): string | null {
  const came = `${status} ${code ?? ''} came, not ${expected.status} ${expected.codes.join(' or ')}`;
  if (expected.status === 'passes') {
    // Codes for what it is about, not for who asks: no git host is there, a webhook is not signed.
    const isOwn = isPublic(route) ? isOf(route, code) : status >= 500 && isOf(route, code);
    const isOut = status === 401 || status === 403 || status === 404 || status >= 500;
    return isOut && !isOwn ? `${came}: ${said.slice(-200)}` : null;
  }
  if (status !== expected.status || !expected.codes.includes(code ?? '')) return came;
  const isByPermission = status === 403 && route.permission !== 'signed-in' && required !== null;
  return isByPermission && required !== route.permission ? `it says that ${required} is needed` : null;
}

async function inParallel<T>(all: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < all.length) await act(all[next++] as T);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
