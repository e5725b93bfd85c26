/** Finds texts of inputs and outputs that remain in a redacted span. */
import { contentOf } from '../../server/ingest/normalise/index.ts';
import { withLogsAsEvents } from '../../server/ingest/otlp/log-events.ts';
import type { SpanData } from '../../server/ingest/otlp/raw-span.ts';

/** Shorter texts may also be names of models, roles or tools. */
const lengthMin = 20;

export function remainingTexts(before: SpanData, after: SpanData): string[] {
  const { input, output, output_object, tool_calls, props } = contentOf(withLogsAsEvents(before));
  const texts = new Set(
    [input, output, output_object, tool_calls, props]
      .flatMap((text) => textsIn(text))
      .filter((text) => text.length >= lengthMin && /\s/.test(text)),
  );
  const remaining = textsIn(JSON.stringify([after.span, after.resource, after.scope, after.logs ?? []])).join('\n');
  return [...texts].filter((text) => remaining.includes(text) || remaining.includes(JSON.stringify(text).slice(1, -1)));
}

/** All texts in a value, including those in JSON inside texts. */
function textsIn(text: string): string[] {
  const found: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value === 'string') {
      found.push(value);
      const inner = /^[[{"]/.test(value) ? parsed(value) : undefined;
      if (inner !== undefined && inner !== value) walk(inner);
    } else if (typeof value === 'object' && value !== null) for (const field of Object.values(value)) walk(field);
  };
  walk(parsed(text) ?? text);
  return found;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
