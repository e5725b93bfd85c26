import { expect, it } from 'vitest';
import { alertFigure, comparedFigures } from '../../shared/words/alert-words.ts';
import type { Alert } from '../control/alert-store.ts';
import { slackMessage } from './formats/slack-message.ts';
import { type Change, messageOf, noticePayload, shortName } from './notice.ts';
import { toldOf } from './told.ts';

const alert = (parts: Partial<Alert> = {}) =>
  ({ id: 'a', app_id: 'p', name: 'errors', metric: 'error_rate', threshold: 5, time_window: 15, ...parts }) as Alert;
const change = (parts: Partial<Change> = {}): Change => ({
  ...{ alert: alert(), status: 'triggered', value: 400 / 13, atMs: 1_800_000, app: { id: 'p', name: 'shop' } },
  ...{ environment: { id: 'e', name: 'production' }, traces: [], baseUrl: 'https://g.test' },
  ...parts,
});
const slackText = (changed: Change): string =>
  slackMessage(toldOf({ payloads: [noticePayload(changed)], triggered: 1, resolved: 0 }), 'https://g.test/#/alerts').text;
const trace = { id: 't', name: 'refund', start_ms: 1_000_000, value: 2, figure: '2 failed calls' };

it.each([
  ['error_rate', 30.7692307692, '30.8 %'],
  ['error_rate', 100, '100 %'],
  ['latency', 1234, '1.2 s'],
  ['latency', 999.7, '1 s'],
  ['latency', 0.25, '0.25 ms'],
  ['latency', 90_400, '1 min 30 s'],
  ['latency', 59_970, '1 min 00 s'],
  ['cost', 0.42, '$0.42'],
  ['cost', 0.00424, '$0.0042'],
  ['cost', 1e-30, '<$0.0000000001'],
  ['cost', 12.4, '$12.40'],
  ['runaway_runs', 3, '3'],
  ['model_calls', 0, '0'],
  ['evaluation_score', 2 / 3, '0.667'],
] as const)('%s %d is written %s', (metric, value, figure) => {
  expect(alertFigure(metric, value)).toBe(figure);
});

it('different numbers never look equal', () => {
  expect(comparedFigures('error_rate', 5.01, 5)).toEqual(['5.01 %', '5 %']);
  expect(comparedFigures('latency', 1201, 1200)).toEqual(['1201 ms', '1200 ms']);
  expect(comparedFigures('cost', 0.421, 0.42)).toEqual(['$0.421', '$0.42']);
  expect(comparedFigures('error_rate', 5, 5)).toEqual(['5 %', '5 %']);
});

it('a message says what, where, how much and how long', () => {
  expect(messageOf(change())).toBe(
    'Alert "errors" triggered in shop, production: error rate was 30.8 % in the last 15 minutes (threshold 5 %)',
  );
  expect(messageOf(change({ environment: null, status: 'resolved' }))).toMatch(/^Alert "errors" resolved in shop: /);
});

it('the link to the traces covers the window and the start of each named trace', () => {
  const link = (traces: Change['traces']) => JSON.parse(noticePayload(change({ traces }))).event.data.tracesUrl;
  const search = 'app=p&environment=production&filter=errors+%3E+0';
  expect(link([])).toBe(`https://g.test/#/traces?${search}&from=900000&to=1800000`);
  expect(link([{ ...trace, start_ms: 600_000 }])).toBe(`https://g.test/#/traces?${search}&from=600000&to=1800000`);
});

it('a score narrows the traces by its threshold if its name can be a field', () => {
  const link = (evaluation_name: string) => {
    const rule = { metric: 'evaluation_score', threshold: 0.5, evaluation_name, evaluation_threshold_direction: 'below' } as const;
    return new URLSearchParams(JSON.parse(noticePayload(change({ alert: alert(rule) }))).event.data.tracesUrl.split('?')[1]).get('filter');
  };
  expect([link('tone'), link('tone of voice')]).toEqual(['score__tone < 0.5', null]);
});

it.each([
  ['<!channel> & <@U1>', '`&lt;!channel&gt; &amp; &lt;@U1&gt;`'],
  ['`*a*` _b_', "`'*a*' _b_`"],
  ['first\n• `second`\u2028\u0000\u202ethird', "`first • 'second' third`"],
  ['a|b>', '`a|b&gt;`'],
  ['', '`unnamed`'],
])('a trace named %j is one line of plain text in Slack', (name, shown) => {
  const text = slackText(change({ traces: [{ ...trace, name }] }));
  expect(text.split('\n').slice(2)).toEqual([`• ${shown} 2 failed calls <https://g.test/#/traces/t?app=p|Open>`]);
  expect(text.match(/<[^>]*>/g)?.every((link) => link.startsWith('<https://g.test/#/'))).toBe(true);
});

it('a trace id cannot leave its link', () => {
  const text = slackText(change({ traces: [{ ...trace, id: 'x|y><!here>' }] }));
  expect(text).toContain('<https://g.test/#/traces/x%7Cy%3E%3C!here%3E?app=p|Open>');
});

it('long names are cut by characters', () => {
  expect(shortName('😀'.repeat(200))).toBe(`${'😀'.repeat(79)}…`);
});
