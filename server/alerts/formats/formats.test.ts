/** What is sent to other services keeps to their documented schemas, and shows what people wrote as plain text. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import type { Alert } from '../../control/alert-store.ts';
import { type Change, noticePayload } from '../notice.ts';
import { type Outgoing, toldOf } from '../told.ts';
import { alertMail } from './alert-mail.ts';
import { endOfTest, pagerDutyEvent } from './pagerduty-event.ts';
import { slackMessage } from './slack-message.ts';
import { teamsMessage } from './teams-card.ts';
import { webhookBody } from './webhook-body.ts';

const listUrl = 'https://g.test/#/alerts?app=p';
const key = '0123456789abcdef0123456789abcdef';
const alert = (parts: Partial<Alert> = {}) =>
  ({ id: 'a', app_id: 'p', name: 'errors', metric: 'error_rate', threshold: 5, time_window: 15, ...parts }) as Alert;
const trace = {
  id: 't',
  name: '[refund](https://evil.test) www.evil.test <!channel> <b>',
  start_ms: 1_000_000,
  value: 2,
  figure: '2 failed calls',
};
const payload = (parts: Partial<Change> = {}): string =>
  noticePayload({
    ...{ alert: alert(), status: 'triggered', value: 400 / 13, atMs: 1_800_000, app: { id: 'p', name: 'shop' } },
    ...{ environment: { id: 'e', name: 'production' }, traces: [trace], baseUrl: 'https://g.test' },
    ...parts,
  });

const one = (parts: Partial<Change> = {}): Outgoing => ({ payloads: [payload(parts)], triggered: 1, resolved: 0 });
const hostile = `${'*a*\n'.repeat(20)}<!channel> [x](https://evil.test) <img>`;
const many: Outgoing = {
  payloads: Array.from({ length: 10 }, (_, index) => payload({ alert: alert({ id: `a${index}`, name: hostile }) })),
  ...{ triggered: 100, resolved: 3 },
};
const test: Outgoing = {
  payloads: ['{"event":{"type":"test","data":{"message":"A test of Glasshouse alerts","timestamp":"2026-01-01T00:00:00.000Z"}}}'],
  ...{ triggered: 0, resolved: 0 },
};
const all: [string, Outgoing][] = [
  ['a notice', one()],
  ['a recovery', one({ status: 'resolved', traces: [] })],
  ['a group', many],
  ['a test', test],
  ['a text of an earlier version', { payloads: ['Alert "x" <triggered>'], triggered: 1, resolved: 0 }],
];

/** PagerDuty, Events API v2, "Send an alert event": fields and lengths of its reference. */
const pagerDuty = z.discriminatedUnion('event_action', [
  z.strictObject({
    ...{ routing_key: z.string().length(32), event_action: z.literal('trigger'), dedup_key: z.string().max(255) },
    payload: z.strictObject({
      ...{ summary: z.string().min(1).max(1024), source: z.string().min(1), severity: z.enum(['critical', 'error', 'warning', 'info']) },
      timestamp: z.iso.datetime().optional(),
      ...{ component: z.string().optional(), group: z.string().optional(), class: z.string().optional() },
      custom_details: z.record(z.string(), z.unknown()).optional(),
    }),
    ...{ client: z.string().optional(), client_url: z.url().optional() },
    links: z.array(z.strictObject({ href: z.url(), text: z.string().optional() })).optional(),
  }),
  z.strictObject({ routing_key: z.string().length(32), event_action: z.enum(['acknowledge', 'resolve']), dedup_key: z.string().max(255) }),
]);

/** Slack, Block Kit, "Section block" and "Text object": types and lengths of its reference. */
const slack = z.strictObject({
  text: z.string().min(1).max(40_000),
  blocks: z
    .array(
      z.strictObject({
        type: z.literal('section'),
        text: z.strictObject({ type: z.literal('mrkdwn'), text: z.string().min(1).max(3000) }),
      }),
    )
    .min(1)
    .max(50),
});

/** Adaptive Cards 1.4, schema explorer: the elements that we use. In Teams Workflows a card is an attachment of a message of at most 28 KB. */
const openUrl = z.strictObject({ type: z.literal('Action.OpenUrl'), title: z.string(), url: z.url() });
const run = z.strictObject({
  ...{ type: z.literal('TextRun'), text: z.string().min(1), weight: z.enum(['Default', 'Lighter', 'Bolder']).optional() },
  ...{ isSubtle: z.boolean().optional(), selectAction: openUrl.optional() },
});
const teams = z.strictObject({
  type: z.literal('message'),
  attachments: z
    .array(
      z.strictObject({
        ...{ contentType: z.literal('application/vnd.microsoft.card.adaptive'), contentUrl: z.null() },
        content: z.strictObject({
          ...{ $schema: z.literal('http://adaptivecards.io/schemas/adaptive-card.json'), type: z.literal('AdaptiveCard') },
          version: z.literal('1.4'),
          body: z.array(z.strictObject({ type: z.literal('RichTextBlock'), inlines: z.array(run).min(1) })).min(1),
          actions: z.array(openUrl).max(6).optional(),
        }),
      }),
    )
    .length(1),
});

it.each(all)('%s is a message of Slack, a card of Teams and an event of PagerDuty', (_, outgoing) => {
  const told = toldOf(outgoing);
  slack.parse(slackMessage(told, listUrl));
  const card = teamsMessage(told, listUrl);
  teams.parse(card);
  expect(Buffer.byteLength(JSON.stringify(card))).toBeLessThan(28 * 1024);
  pagerDuty.parse(pagerDutyEvent(key, told, 'glasshouse-test-c'));
});

it('a recovery and an acknowledgement are for the incident that the trigger opened', () => {
  const told = [one(), one({ status: 'resolved' })].map(toldOf);
  const events = told.map((each) => pagerDuty.parse(pagerDutyEvent(key, each, '')));
  expect(events.map(({ event_action, dedup_key }) => [event_action, dedup_key])).toEqual([
    ['trigger', 'glasshouse-alert-a'],
    ['resolve', 'glasshouse-alert-a'],
  ]);
  expect(pagerDuty.parse(endOfTest(key, 'glasshouse-test-c'))).toEqual({ ...(endOfTest(key, 'glasshouse-test-c') as object) });
  expect(pagerDutyEvent(key, toldOf(test), 'glasshouse-test-c')).toMatchObject({
    dedup_key: 'glasshouse-test-c',
    payload: { severity: 'info' },
  });
});

it('a group says how many there are and lists ten of them in one line each', () => {
  const told = toldOf(many);
  expect([told.summary, told.notices.length, told.more]).toEqual(['100 alerts triggered and 3 alerts resolved in shop', 10, 93]);
  expect(slackMessage(told, listUrl).text.split('\n')).toHaveLength(12);
  expect(slackMessage(told, listUrl).blocks.at(-1)?.text.text).toBe('and 93 more');
  const body = JSON.parse(webhookBody(many, listUrl)).event;
  expect([body.type, body.data.alerts.length, body.data]).toEqual([
    'alert_group',
    10,
    expect.objectContaining({ triggered: 100, resolved: 3, more: 93, url: listUrl, app: { id: 'p', name: 'shop' } }),
  ]);
  expect(alertMail(told, listUrl).subject).toBe(told.summary);
  expect(
    alertMail(told, listUrl)
      .text.split('\n')
      .filter((line) => line.startsWith('- ')),
  ).toHaveLength(10);
});

it('messages of an earlier version are listed in a group as well', () => {
  const old = ['Alert "x" <triggered>', 'Alert "y" resolved'];
  const mixed = slackMessage(toldOf({ payloads: [payload(), ...old], triggered: 2, resolved: 1 }), listUrl).text;
  expect(mixed.split('\n').slice(2)).toEqual(['• Alert "x" &lt;triggered&gt;', '• Alert "y" resolved']);
  const { text } = slackMessage(toldOf({ payloads: old, triggered: 3, resolved: 1 }), listUrl);
  expect(text.split('\n').map((line) => line.split(' <')[0])).toEqual([
    '3 alerts triggered and 1 alert resolved',
    '• Alert "x" &lt;triggered&gt;',
    '• Alert "y" resolved',
    'and 2 more',
  ]);
});

it('names are text: they neither link nor mention nor mark up', () => {
  const single = one();
  for (const outgoing of [single, many]) {
    const told = toldOf(outgoing);
    const { text } = slackMessage(told, listUrl);
    expect(text.match(/<[^>]*>/g)?.every((link) => link.startsWith('<https://g.test/#/'))).toBe(true);
    const { html, text: plain } = alertMail(told, listUrl);
    // In plain text, programs make links of addresses. Names of alerts come from people of the team.
    if (outgoing === single) expect(plain).not.toContain('evil.test');
    expect(html.match(/<(?!\/?(html|body|p|ul|li|a)\b|!doctype)/g)).toBeNull();
    expect(html.match(/href="(?!https:\/\/g\.test\/)/g)).toBeNull();
    // Only a TextBlock or a fact of a card is read as Markdown.
    expect(JSON.stringify(teamsMessage(told, listUrl))).not.toMatch(/TextBlock"(?<!RichTextBlock")|FactSet/);
  }
});
