/** Filters the fields of agent sessions from many senders, and reports the unknown ones. */
import { agentEvent, type SentAgentSession, sessionFields } from '../../shared/contract/tracing/agents.ts';
import { didYouMean } from '../../shared/words/nearest-word.ts';
import type { AgentEvent, AgentPart } from '../control/agent-session-store.ts';

const aboutFields = Object.keys(sessionFields.shape);
const eventFields = Object.keys(agentEvent.shape);
const partFields = [...aboutFields, 'events', 'blobs'];
/** Names that other formats use for these fields. */
const synonyms = {
  ...{ content: 'text', message: 'text', role: 'type', time: 'timestamp', created_at: 'timestamp', model_name: 'model', name: 'tool_name' },
  ...{
    arguments: 'input',
    args: 'input',
    result: 'output',
    prompt_tokens: 'input_tokens',
    completion_tokens: 'output_tokens',
    cost: 'cost_usd',
  },
};
const warningsMax = 50;

/** The known fields, and a warning for each unknown one that names its first position. */
export function knownOf(part: SentAgentSession) {
  const { events, blobs = [], ...rest } = part;
  const warnings = Object.keys(rest)
    .filter((name) => !aboutFields.includes(name))
    .map((name) => warningOf(name, name, partFields));
  const unknown = new Map<string, { first: number; count: number }>();
  const known = events.map((event, index) => {
    for (const name of Object.keys(event)) {
      if (eventFields.includes(name)) continue;
      const entry = unknown.get(name);
      if (entry) entry.count++;
      else if (unknown.size < warningsMax) unknown.set(name, { first: index, count: 1 });
    }
    return pick(event, eventFields) as AgentEvent;
  });
  for (const [name, { first, count }] of unknown) {
    const others = count === 1 ? '' : ` It occurs in ${count} events.`;
    warnings.push(warningOf(`events.${first}.${name}`, name, eventFields) + others);
  }
  return { events: known, blobs, about: pick(rest, aboutFields) as AgentPart['about'], warnings: warnings.slice(0, warningsMax) };
}

const warningOf = (place: string, name: string, fields: readonly string[]): string =>
  `${JSON.stringify(place.slice(0, 100).toWellFormed())} is not a known field and was left out${didYouMean(name, fields, synonyms) || '.'}`;

const pick = (value: object, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)));
