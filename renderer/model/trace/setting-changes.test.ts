import { expect, it } from 'vitest';
import { type Call, settingChanges } from './setting-changes.ts';

function call(requested: string, response?: string, settings: object = {}): Call {
  const source = response === undefined ? 'gen_ai.request.model' : 'gen_ai.response.model';
  return {
    span: { settings: JSON.stringify(settings) },
    raw: { values: { request_model: requested, model: response ?? requested }, provenance: { model: source } },
  };
}

it('the request of a failed call is not compared with the response of its retry', () => {
  expect(settingChanges(call('gpt-4o'), call('gpt-4o', 'gpt-4o-2026-05-01'))).toEqual([]);
});

it('requested models are compared with each other, and response models too', () => {
  const [old, current] = [call('gpt-4o', 'gpt-4o-2025-08-06'), call('gpt-5', 'gpt-5-2026-01-01')];
  expect(settingChanges(old, current)).toEqual([
    { name: 'Requested model', before: 'gpt-4o', after: 'gpt-5' },
    { name: 'Response model', before: 'gpt-4o-2025-08-06', after: 'gpt-5-2026-01-01' },
  ]);
  expect(settingChanges(call('gpt-4o', 'a'), call('gpt-4o', 'b'))).toEqual([{ name: 'Response model', before: 'a', after: 'b' }]);
});

it('a setting that one call lacks is a change, an equal one is not', () => {
  const changes = settingChanges(call('m', 'm', { seed: 1, temperature: 0 }), call('m', 'm', { seed: 1, top_p: 0.9 }));
  expect(changes).toEqual([
    { name: 'temperature', before: 0, after: undefined },
    { name: 'top_p', before: undefined, after: 0.9 },
  ]);
});

it('calls whose sources could not be loaded are compared by their settings', () => {
  expect(settingChanges({ ...call('a'), raw: undefined }, call('b', 'b', { seed: 2 }))).toEqual([
    { name: 'seed', before: undefined, after: 2 },
  ]);
});
