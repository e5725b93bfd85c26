/** Which of what was asked and answered in a span is still in what is left of it. */
import { contentOf } from '../../server/ingest/normalise/index.ts';
import { withLogsAsEvents } from '../../server/ingest/otlp/log-events.ts';
import type { SpanData } from '../../server/ingest/otlp/raw-span.ts';

/** Shorter ones are names of models, roles and tools as well. */
const lengthMin = 20;

export function leftTexts(before: SpanData, after: SpanData): string[] {
  const { input, output, output_object, tool_calls, props } = contentOf(withLogsAsEvents(before));
  const said = new Set(
    [input, output, output_object, tool_calls, props]
      .flatMap((text) => leaves(text))
      .filter((text) => text.length >= lengthMin && /\s/.test(text)),
  );
  const left = leaves(JSON.stringify([after.span, after.resource, after.scope, after.logs ?? []])).join('\n');
  return [...said].filter((text) => left.includes(text) || left.includes(JSON.stringify(text).slice(1, -1)));
}

/** The texts in a value, and in the JSON in its texts. */
function leaves(text: string): string[] {
  const found: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value === 'string') {
      found.push(value);
      const inner = /^[[{"]/.test(value) ? parsed(value) : undefined;
      if (inner !== undefined && inner !== value) walk(inner);
    } else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) walk(each);
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
