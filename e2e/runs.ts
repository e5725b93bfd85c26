/** Runs of an application as its SDK would send them: an agent with a model call. */
import { aChat, aSpan, aSpanId, aTraceId } from '../shared/fixtures/otlp.ts';

interface Run {
  name: string;
  startMs: number;
  model?: string;
  user?: string;
  session?: string;
  failed?: boolean;
  ask?: string;
  reply?: string;
}

export function aRun({ name, startMs, model = 'gpt-4o', user = 'mira', session, failed = false, ask = name, reply = 'Done.' }: Run) {
  const traceId = aTraceId();
  const root = aSpanId();
  return [
    aChat({ traceId, parentSpanId: root, startMs: startMs + 10, model, ask, reply, durationMs: 200 }),
    aSpan({
      traceId,
      spanId: root,
      name,
      startMs,
      durationMs: 900,
      ...(failed ? { status: 'ERROR' as const, statusMessage: 'the index is away' } : {}),
      attributes: {
        'user.id': user,
        ...(session === undefined ? {} : { 'session.id': session }),
        'gen_ai.operation.name': 'invoke_agent',
        'deployment.environment.name': 'prod',
      },
    }),
  ];
}
