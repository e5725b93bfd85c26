/** All traces and scores of the demo, ready to be sent. */
import type { ScoreDraft } from '../../../shared/contract/evaluation/score-draft.ts';
import { type Attributes, attributeList } from '../otlp-values.ts';
import { withDates, workingTime } from './calendar.ts';
import type { Message } from './messages.ts';
import { fractionOf } from './model-call.ts';
import { refundExperiment } from './refund-cases.ts';
import { releaseNotes } from './release-notes.ts';
import { researchCrew } from './research-questions.ts';
import { idOf, TraceSpans } from './run-spans.ts';
import type { Story, Turn } from './story.ts';
import { deliverySessions } from './support-deliveries.ts';
import { refundSessions } from './support-refunds.ts';
import { turnScores } from './turn-scores.ts';

/** Metadata that every trace of the demo has, and nothing else. */
export const demoMark = 'glasshouse_demo';

const services: Record<string, readonly Story[]> = {
  'support-desk': [...refundSessions, ...deliverySessions],
  'research-crew': researchCrew,
  'release-notes': releaseNotes,
  'refund-desk': refundExperiment,
};

export interface DemoData {
  /** Bodies of `POST /v1/traces`, in OTLP/JSON. */
  requests: object[];
  scores: ScoreDraft[];
  counts: { traces: number; sessions: number; runs: number };
}

/** The stories begin up to this many hours earlier than they say, so that they do not all begin on the minute. */
const hoursMore = 0.1;

interface ToldTurn {
  traceId: string;
  spans: object[];
  scores: ScoreDraft[];
}

/** The demo as of now. Its ids are always the same for the same moment. @param nowMs the end of the newest trace is before it */
export function demoData(nowMs: number): DemoData {
  const told = Object.entries(services).flatMap(([service, stories]) =>
    stories.map((story) => ({ service, story, turns: tell(story, nowMs) })),
  );
  const turns = told.flatMap((each) => each.turns);
  const environments = Map.groupBy(told, ({ service, story }) => `${service} ${story.environment}`);
  return {
    requests: [...environments.values()].map((group) => requestOf(group)),
    scores: turns.flatMap(({ scores }) => scores),
    counts: {
      traces: turns.length,
      sessions: told.filter(({ story }) => story.session !== undefined).length,
      runs: new Set(told.flatMap(({ story }) => story.experiment?.run ?? [])).size,
    },
  };
}

function requestOf(group: readonly { service: string; story: Story; turns: readonly ToldTurn[] }[]): object {
  const [first] = group;
  const resource = {
    attributes: attributeList({
      'service.name': first?.service,
      'deployment.environment.name': first?.story.environment,
      [`metadata.${demoMark}`]: 'made up by `glasshouse demo`',
    }),
  };
  const spans = group.flatMap(({ turns }) => turns.flatMap((turn) => turn.spans));
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'glasshouse.demo' }, spans }] }] };
}

/** The turns of a story, one trace each, with the history sent along. */
function tell(story: Story, nowMs: number): ToldTurn[] {
  const startMs = workingTime(nowMs, story.hoursAgo + hoursMore * fractionOf(story.experiment?.run ?? story.key));
  const dated = JSON.parse(withDates(JSON.stringify(story), startMs)) as Story;
  let [history, atMs]: [Message[], number] = [[], startMs];
  return dated.turns.map((turn, index) => {
    const traceId = idOf(`${nowMs} ${story.key} ${index}`, 32);
    const trace = new TraceSpans(traceId, `${story.key} ${index}`, sharedAttributes(dated, nowMs));
    const { endMs, messages } = addTurn(trace, dated, { turn, history, atMs });
    history = messages;
    // The customer reads the answer and writes the next question.
    atMs = endMs + 35_000 + Math.round(140_000 * fractionOf(`${story.key} ${index}`));
    return { traceId, spans: trace.spans, scores: turnScores(traceId, turn, dated.experiment) };
  });
}

const sharedAttributes = ({ key, session, user, tags }: Story, nowMs: number): Attributes => ({
  'tag.tags': ['demo', ...tags],
  'user.id': user,
  ...(session !== undefined && { 'gen_ai.conversation.id': `conv_${idOf(`${nowMs} ${key}`, 16)}`, 'agentmark.session_name': session }),
});

interface TurnStart {
  turn: Turn;
  history: readonly Message[];
  atMs: number;
}

function addTurn(trace: TraceSpans, { agent, name, experiment }: Story, start: TurnStart) {
  if (!experiment) return trace.addRun({ agent, name, parentId: null, ...start });
  const { run, dataset, item, input, expected } = experiment;
  const rootId = trace.newId();
  const end = trace.addRun({ agent, parentId: rootId, ...start, atMs: start.atMs + 3 });
  trace.add({
    ...{ spanId: rootId, parentId: null, name, kind: 'internal', fromMs: start.atMs, toMs: end.endMs + 4 },
    attributes: {
      'agentmark.dataset_run_id': run,
      'agentmark.dataset_run_name': run,
      'agentmark.dataset_path': dataset,
      'agentmark.dataset_item_name': item,
      'agentmark.dataset_input': JSON.stringify(input),
      'agentmark.dataset_expected_output': expected,
      'agentmark.prompt_name': agent.prompt.name,
      'agentmark.input': start.turn.ask,
      'agentmark.output': start.turn.answer,
    },
  });
  return end;
}
