/** Model and settings of a call that differ from those of another call. */
import type { RawSpanReply } from '../../../shared/contract/tracing/raw-span.ts';
import type { SpanInTrace } from '../../../shared/contract/tracing/spans.ts';
import { parseNestedJson } from './messages.ts';

export interface SettingChange {
  name: string;
  /** Undefined where the call does not have the setting. */
  before: unknown;
  after: unknown;
}

export interface Call {
  span: Pick<SpanInTrace, 'settings'>;
  /** Undefined when it could not be loaded. */
  raw: Pick<RawSpanReply, 'values' | 'provenance'> | undefined;
}

/** Attributes with the model that answered. A failed call has none, and the other sources of the model are what was requested. */
const responseSources = new Set(['gen_ai.response.model', 'llm.response.model_name', 'ai.response.model']);

function modelsOf({ raw }: Call): { requested: unknown; response: unknown } {
  const { model, request_model } = raw?.values ?? {};
  const isResponse = responseSources.has(raw?.provenance['model'] ?? '');
  return { requested: request_model ?? (isResponse ? undefined : model), response: isResponse ? model : undefined };
}

const settingsOf = ({ span }: Call): Record<string, unknown> => {
  const value = parseNestedJson(span.settings);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
};

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Requested models are compared with each other, and so are response models; a model that one call does not report is no change. */
export function settingChanges(then: Call, now: Call): SettingChange[] {
  const [old, current] = [modelsOf(then), modelsOf(now)];
  const models = [
    { name: 'Requested model', before: old.requested, after: current.requested },
    { name: 'Response model', before: old.response, after: current.response },
  ].filter(({ before, after }) => before !== undefined && after !== undefined);
  const [oldSettings, settings] = [settingsOf(then), settingsOf(now)];
  const names = [...new Set([...Object.keys(oldSettings), ...Object.keys(settings)])];
  const others = names.map((name) => ({ name, before: oldSettings[name], after: settings[name] }));
  return [...models, ...others].filter(({ before, after }) => !isEqual(before, after));
}
