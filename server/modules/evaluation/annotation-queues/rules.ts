/** Handlers of the rules that fill a queue; a part of the module of queues. */
import { previewDays, type queueRules, rulesMax, rulesOfAppMax } from '../../../../shared/contract/evaluation/queue-rules.ts';
import { FilterError } from '../../../../shared/filter/filter-error.ts';
import type { Filter } from '../../../../shared/filter/filter-tree.ts';
import { fail } from '../../../app/fail.ts';
import { Answer, asPage, type Handlers } from '../../../app/module.ts';
import { LimitReached } from '../../../control/limit-reached.ts';
import type { QueueRuleStore } from '../../../control/queue-rule-store.ts';
import type { Principal } from '../../../identity/authenticator.ts';
import type { Clock } from '../../../platform/clock.ts';
import { previewOf, ruleFilter } from '../../../queue-rules/matching-traces.ts';
import type { SearchReader } from '../../../telemetry/search-reader.ts';

const ruleLimits = { ofQueue: rulesMax, ofApp: rulesOfAppMax };

export const ruleHandlers = (rules: QueueRuleStore, search: SearchReader, clock: Clock): Handlers<typeof queueRules> => ({
  listRules: async ({ scope }, { params: { queueId }, query }) => {
    const found = (await rules.list(scope, queueId)) ?? missingQueue(queueId);
    return asPage(query, { data: found.slice(query.offset, query.offset + query.limit), total: found.length });
  },

  createRule: async ({ scope, principal }, { params: { queueId }, body }) => {
    requireTraceRead(principal);
    filterOf(body.filter);
    const rule = await translateErrors(() => rules.create(principal.actor, scope, queueId, body, ruleLimits));
    return new Answer(201, { data: rule ?? missingQueue(queueId) });
  },

  replaceRule: async ({ scope, principal }, { params, body }) => {
    requireTraceRead(principal);
    filterOf(body.filter);
    return { data: (await rules.replace(principal.actor, scope, params, body)) ?? missing(params.ruleId) };
  },

  removeRule: async ({ scope, principal }, { params }) => {
    if (!(await rules.remove(principal.actor, scope, params))) missing(params.ruleId);
    return new Answer(204, undefined);
  },

  previewRule: async ({ scope }, { params: { queueId }, body }) => {
    const to = clock.now();
    const window = { from: to - previewDays * 24 * 3_600_000, to };
    const { filter, sample_percent } = body;
    return { data: await previewOf(search, scope, { queueId, filter: filterOf(filter), sample_percent }, window) };
  },
});

const missingQueue = (id: string): never => fail('annotation_queue_not_found', `No annotation queue ${id}`);
const missing = (id: string): never => fail('annotation_queue_rule_not_found', `No rule ${id} of the annotation queue`);

/** What a rule adds tells what is in the traces. */
function requireTraceRead(principal: Pick<Principal, 'may'>): void {
  if (!principal.may('trace.read')) fail('forbidden', 'This needs the permission trace.read', { required_permission: 'trace.read' });
}

function filterOf(text: string): Filter {
  try {
    return ruleFilter(text);
  } catch (error) {
    if (error instanceof FilterError) fail('invalid_filter', error.message, error.extras());
    throw error;
  }
}

async function translateErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LimitReached) {
      const owner = error.limit === rulesMax ? 'A queue' : 'An app';
      fail('invalid_request_body', `${owner} has at most ${error.limit} rules`);
    }
    throw error;
  }
}
