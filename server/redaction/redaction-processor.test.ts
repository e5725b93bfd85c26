import { describe, expect, it } from 'vitest';
import { noRedaction, type RedactionPolicy } from '../../shared/contract/operations/redaction.ts';
import { contentKeys, contentOf, droppedMark } from '../ingest/normalise/index.ts';
import { withLogsAsEvents } from '../ingest/otlp/log-events.ts';
import type { RawAttribute, RawLog, RawValue, SpanData } from '../ingest/otlp/raw-span.ts';
import type { Origin } from '../telemetry/forward-store.ts';
import { RedactionProcessor } from './redaction-processor.ts';

const key = new Uint8Array(32).fill(7);
const mail = 'ann@example.com';
const somewhere: Origin = { environment: '', tags: [] };

const sentWith = (attributes: RawAttribute[], more: Partial<SpanData['span']> = {}, logs?: RawLog[]): SpanData => ({
  span: {
    ...{ trace_id: '4111111111111111'.repeat(2), span_id: '4111111111111111', parent_id: null, name: 'work', kind: 1, trace_state: '' },
    ...{ flags: 0, start_ns: '1', end_ns: '2', attributes, events: [], links: [], status_code: 0 as const, status_message: '' },
    ...{ dropped_attributes: 0, dropped_events: 0, dropped_links: 0 },
    ...more,
  },
  resource: { attributes: [['service.name', 'shop']], dropped: 0, schema_url: '' },
  scope: { name: 'test', version: '1', attributes: [], dropped: 0, schema_url: '' },
  ...(logs && { logs }),
});

const aLog = (name: string, body: RawValue, attributes: RawAttribute[] = []): RawLog => ({
  ...{
    trace_id: '41'.repeat(16),
    span_id: '41'.repeat(8),
    name,
    time_ns: '1',
    observed_ns: '1',
    severity_number: 9,
    severity_text: 'INFO',
  },
  ...{ body, attributes, dropped: 0 },
});

const hiding = (...hide: RedactionPolicy['hide']): RedactionPolicy => ({ ...noRedaction, hide });
const dropping = (drop: Partial<RedactionPolicy['drop']>): RedactionPolicy => ({ ...noRedaction, drop: { ...noRedaction.drop, ...drop } });
const through = (policy: RedactionPolicy, sent: SpanData) => {
  const left = new RedactionProcessor(policy, key).span(sent, somewhere);
  if (left === null) throw new Error('it stayed');
  return left;
};
const tokenOf = (value: string) => through(hiding('email', 'card', 'credential'), sentWith([['a', value]])).tokens[0]?.token ?? '';

describe('tokens', () => {
  it('a value has the same token everywhere, so that grouping by it still works', () => {
    const { sent, tokens } = through(
      hiding('email'),
      sentWith([
        ['user.id', mail],
        ['session.id', `s-${mail}`],
        ['a', [`<${mail}>`]],
      ]),
    );
    const token = tokens[0]?.token ?? '';
    expect(token).toMatch(/^‹email-[a-z2-7]{16}›$/);
    expect(sent.span.attributes).toEqual([
      ['user.id', token],
      ['session.id', expect.stringContaining('‹email-')],
      ['a', [`<${token}>`]],
    ]);
    expect(new Set(tokens.filter(({ value }) => value === mail).map((each) => each.token))).toEqual(new Set([token]));
  });

  it('another installation has other tokens', () => {
    const left = new RedactionProcessor(hiding('email'), new Uint8Array(32)).span(sentWith([['a', mail]]), somewhere);
    expect(left?.tokens[0]?.token).not.toBe(tokenOf(mail));
  });

  it('a hundred thousand values have a hundred thousand tokens', () => {
    const redaction = new RedactionProcessor(hiding('email'), key);
    const tokens = new Set<string>();
    for (let at = 0; at < 100_000; at++)
      for (const { token } of redaction.span(sentWith([['a', `u${at}@example.com`]]), somewhere)?.tokens ?? []) tokens.add(token);
    expect(tokens.size).toBe(100_000);
  });

  it('JSON in a text stays valid', () => {
    const text = JSON.stringify({
      to: mail,
      body: `Hi\n${mail}\n"${mail}"`,
      inner: JSON.stringify({ password: 'h"un\\ter2', note: `\t${mail}` }),
    });
    const { sent } = through(hiding('email', 'credential'), sentWith([['input.value', text]]));
    const left = JSON.parse(sent.span.attributes[0]?.[1] as string) as { body: string; inner: string };
    const token = tokenOf(mail);
    expect(left).toMatchObject({ to: token, body: `Hi\n${token}\n"${token}"` });
    expect(JSON.parse(left.inner)).toEqual({ password: expect.stringMatching(/^‹credential-/), note: `\t${token}` });
  });

  it('a token in the original text is not replaced, and does not prevent hiding next to it', () => {
    const brought = '‹email-aaaaaaaaaaaaaaaa›';
    const { sent, tokens } = through(
      hiding('email', 'credential'),
      sentWith([
        ['a', `${brought}${mail}`],
        ['password', `hunter2${brought}`],
      ]),
    );
    expect(sent.span.attributes).toEqual([
      ['a', `${brought}${tokenOf(mail)}`],
      ['password', expect.stringMatching(/^‹credential-[a-z2-7]{16}›$/)],
    ]);
    expect(tokens.map(({ value }) => value)).toEqual([mail, `hunter2${brought}`]);
  });
});

describe('values are hidden', () => {
  it('in every form of a value, and in keys', () => {
    const bytes = Buffer.from(`to ${mail}`).toString('base64');
    const map: RawValue = {
      map: [
        [mail, 1],
        ['card', 4111111111111111],
        ['deep', [{ map: [['api_key', 'a1b2c3d4e5f6a7b8c9']] }]],
      ],
    };
    const { sent } = through(
      hiding('email', 'card', 'credential'),
      sentWith([
        ['a', map],
        ['b', { int: '4111111111111111111' }],
        ['c', { double: '4111111111111111' }],
        ['d', { bytes }],
        ['e', 4111111111111112],
        [mail, null],
      ]),
    );
    const [card, email] = [expect.stringMatching(/^‹card-/), tokenOf(mail)];
    expect(sent.span.attributes.slice(0, 3)).toEqual([
      [
        'a',
        {
          map: [
            [email, 1],
            ['card', card],
            ['deep', [{ map: [['api_key', expect.stringMatching(/^‹credential-/)]] }]],
          ],
        },
      ],
      ['b', { int: '4111111111111111111' }],
      ['c', card],
    ]);
    expect(sent.span.attributes.slice(3)).toEqual([
      ['d', { bytes: Buffer.from(`to ${email}`).toString('base64') }],
      ['e', 4111111111111112],
      [email, null],
    ]);
  });

  it('in every part of a span, and never in an id', () => {
    const link = {
      trace_id: '41'.repeat(16),
      span_id: '4111111111111111',
      trace_state: `a=${mail}`,
      flags: 0,
      attributes: [['a', mail] as RawAttribute],
      dropped: 0,
    };
    const event = { name: `to ${mail}`, time_ns: '1', attributes: [['a', mail] as RawAttribute], dropped: 0 };
    const given = sentWith([], { name: mail, trace_state: mail, status_message: mail, events: [event], links: [link] }, [
      aLog(mail, { map: [['a', mail]] }, [['b', mail]]),
    ]);
    given.resource = { attributes: [['a', mail]], dropped: 0, schema_url: `https://${mail}` };
    given.scope = { name: mail, version: mail, attributes: [['a', mail]], dropped: 0, schema_url: mail };
    const { sent } = through(hiding('email', 'card'), given);
    expect(JSON.stringify(sent)).not.toContain(mail);
    expect(JSON.stringify(sent).split(tokenOf(mail))).toHaveLength(JSON.stringify(given).split(mail).length);
    expect([sent.span.trace_id, sent.span.span_id, sent.span.links[0]?.span_id]).toEqual([
      '4111111111111111'.repeat(2),
      '4111111111111111',
      '4111111111111111',
    ]);
  });

  it('in scores, but not their numbers', () => {
    const score = {
      id: 'i',
      resource_id: '4111111111111111',
      name: 'q',
      score: 4111111111111111,
      label: mail,
      reason: `by ${mail}`,
      source: 'api',
      user_id: mail,
      created_at: '',
      session_id: mail,
    };
    const token = tokenOf(mail);
    expect(new RedactionProcessor(hiding('email', 'card'), key).score(score, somewhere)?.score).toEqual({
      ...score,
      label: token,
      reason: `by ${token}`,
      user_id: token,
      session_id: token,
    });
  });

  it('each kind separately', () => {
    const text = `${mail} 4111111111111111`;
    expect(through(hiding('card'), sentWith([['a', text]])).sent.span.attributes[0]?.[1]).toContain(mail);
    expect(through(hiding('email'), sentWith([['a', text]])).sent.span.attributes[0]?.[1]).toContain('4111111111111111');
  });

  it('a span without such values is returned by reference', () => {
    const given = sentWith([['a', ['words', { map: [['b', 1.5]] }]]], {}, [aLog('x', 'words')]);
    const all = { ...hiding('email', 'card', 'credential', 'api_key'), drop: { inputs: true, outputs: true, keys: ['z*'] } };
    expect(through(all, given).sent).toBe(given);
    const changed = through(hiding('email'), sentWith([['a', mail], given.span.attributes[0] as RawAttribute])).sent;
    expect(changed.span.attributes[1]).toBe(given.span.attributes[0]);
  });
});

describe('content is dropped', () => {
  const messages = (text: string, role = 'user') => JSON.stringify([{ role, parts: [{ type: 'text', content: text }] }]);
  const both = dropping({ inputs: true, outputs: true });

  it.each((['input', 'output'] as const).flatMap((side) => contentKeys[side].map((name) => [side, name] as const)))(
    '%s by %s',
    (side, pattern) => {
      const name = pattern.replaceAll('*', '0.x');
      const given = sentWith([
        [name, 'the text that must stay'],
        ['gen_ai.request.model', 'm'],
      ]);
      const { sent } = through(dropping({ inputs: side === 'input', outputs: side === 'output' }), given);
      expect(sent.span.attributes).toEqual([
        ['gen_ai.request.model', 'm'],
        [droppedMark, [name]],
      ]);
      expect(sent.span.dropped_attributes).toBe(1);
    },
  );

  it.each([
    [
      'gen_ai.user.message',
      [
        ['content', 'the text'],
        ['role', 'user'],
      ],
    ],
    [
      'gen_ai.choice',
      [
        ['message', 'the text'],
        ['index', 0],
      ],
    ],
    ['gen_ai.assistant.message', [['body', { map: [['content', 'the text']] }]]],
    [
      'gen_ai.client.inference.operation.details',
      [
        ['gen_ai.input.messages', messages('the text')],
        ['gen_ai.output.messages', messages('the text')],
        ['body', { map: [['x', 'the text']] }],
      ],
    ],
    ['gen_ai.of.tomorrow', [['x', 'the text']]],
    ['db.query.result', [['document', 'the text']]],
    ['tool.output', [['output', 'the text']]],
    ['claude_code.user_prompt', [['prompt', 'the text']]],
    ...(
      [
        ['claude_code.user_prompt', 'user_prompt', 'prompt_text'],
        ['claude_code.assistant_response', 'assistant_response', 'response'],
        ['claude_code.tool_result', 'tool_result', 'tool_input'],
        ['event otel.rs:1200', 'codex.tool_result', 'arguments'],
        ['', 'gemini_cli.api_request', 'request_text'],
        ['', 'gemini_cli.api_response', 'response_text'],
      ] as const
    ).map(([name, event, key]): [string, RawAttribute[]] => [
      name,
      [
        ['event.name', event],
        [key, 'the text'],
      ],
    ]),
    [
      'log',
      [
        ['event.name', 'gen_ai.user.message'],
        ['body', 'the text'],
      ],
    ],
  ] as [string, RawAttribute[]][])('the words of an event %s, also as a log record', (name, attributes) => {
    const given = sentWith([['gen_ai.operation.name', 'chat']], { events: [{ name, time_ns: '1', attributes, dropped: 0 }] }, [
      aLog(name, 'the text', attributes),
    ]);
    const { sent } = through(both, given);
    expect(JSON.stringify(sent)).not.toContain('the text');
    expect(sent.span.events[0]?.attributes.find(([each]) => each === droppedMark)?.[1]).not.toEqual([]);
    expect(contentOf(withLogsAsEvents(sent))).toMatchObject({ input: '', output: '', tool_calls: '', input_messages: [] });
  });

  it('dropping inputs keeps outputs, and the other way round', () => {
    const given = sentWith([
      ['gen_ai.operation.name', 'chat'],
      ['gen_ai.input.messages', messages('asked')],
      ['gen_ai.output.messages', messages('answered', 'assistant')],
    ]);
    expect(contentOf(through(dropping({ inputs: true }), given).sent)).toMatchObject({ input: '', output: 'answered' });
    expect(contentOf(through(dropping({ outputs: true }), given).sent)).toMatchObject({
      input: expect.stringContaining('asked'),
      output: '',
    });
  });

  it('of the records of a coding agent only the prompts, and the command line with the prompt', () => {
    const record = aLog('', 'an answer', [
      ['event.name', 'gemini_cli.api_response'],
      ['model', 'gemini-2.5-flash'],
      ['response_text', 'answered'],
    ]);
    const given = { ...sentWith([], {}, [record]), resource: { attributes: [], dropped: 0, schema_url: '' } };
    given.resource.attributes.push(['process.command_args', { list: ['gemini', '-p', 'asked'] }] as never);
    const left = JSON.stringify(through(dropping({ inputs: true }), given).sent);
    expect(left).toContain('answered');
    expect(left).toContain('gemini-2.5-flash');
    expect(left).not.toContain('asked');
  });

  it('tool arguments of agent command lines, but not addresses elsewhere', () => {
    expect(
      through(
        both,
        sentWith([
          ['tool_name', 'Bash'],
          ['full_command', 'rm x'],
        ]),
      ).sent.span.attributes.map(([each]) => each),
    ).toEqual(['tool_name', droppedMark]);
    expect(through(both, sentWith([['url', 'https://x.example']])).sent.span.attributes).toEqual([['url', 'https://x.example']]);
  });

  it('attributes by key, at any place, and a mark lists them', () => {
    const policy = { ...hiding('email'), drop: { inputs: false, outputs: false, keys: ['app.*.name', 'secret', `${mail}`] } };
    const given = sentWith(
      [
        ['app.user.name', 'x'],
        ['app.name', 'y'],
        [
          'a',
          {
            map: [
              ['secret', 1],
              ['b', 2],
            ],
          },
        ],
        [mail, 1],
      ],
      { events: [{ name: 'e', time_ns: '1', attributes: [['secret', 1]], dropped: 2 }] },
      [aLog('l', { map: [['secret', 1]] })],
    );
    given.resource = { attributes: [['secret', 1]], dropped: 0, schema_url: '' };
    const { sent } = through(policy, given);
    expect(sent.span.attributes).toEqual([
      ['app.name', 'y'],
      ['a', { map: [['b', 2]] }],
      [droppedMark, ['app.user.name', 'secret', tokenOf(mail)]],
    ]);
    expect(sent.span.events[0]).toMatchObject({ attributes: [[droppedMark, ['secret']]], dropped: 3 });
    expect(sent.resource).toMatchObject({ attributes: [[droppedMark, ['secret']]], dropped: 1 });
    expect(sent.logs?.[0]).toMatchObject({ body: { map: [] }, attributes: [[droppedMark, ['secret']]] });
    expect(through(policy, sent).sent).toBe(sent);
  });

  it('the mark remains when everything else is dropped', () => {
    const { sent } = through(
      dropping({ keys: ['*'] }),
      sentWith([
        ['a', 1],
        ['b', 2],
      ]),
    );
    expect(sent.span.attributes).toEqual([[droppedMark, ['a', 'b']]]);
  });
});

it.each([
  [{ environments: [], tags: [] }, '', [], true],
  [{ environments: ['production'], tags: [] }, 'production', [], true],
  [{ environments: ['production'], tags: [] }, '', [], false],
  [{ environments: ['production'], tags: [] }, 'dev', ['production'], false],
  [{ environments: [], tags: ['share', 'x'] }, 'dev', ['a', 'x'], true],
  [{ environments: [], tags: ['share'] }, 'dev', [], false],
  [{ environments: ['dev'], tags: ['share'] }, 'dev', ['a'], false],
  [{ environments: ['dev'], tags: ['share'] }, 'dev', ['share'], true],
])('only %j: from %j with %j leaves: %j', (only, environment, tags, leaves) => {
  const redaction = new RedactionProcessor({ ...noRedaction, only }, key);
  expect(redaction.span(sentWith([]), { environment, tags }) !== null).toBe(leaves);
  expect(redaction.log(aLog('x', 'y'), { environment, tags }) !== null).toBe(leaves);
});
