import { expect, it } from 'vitest';
import { aSpan } from '../../fixtures/a-span.ts';
import { sessionText } from './session-text.ts';
import { turnTalk } from './session-turns.ts';

const message = (role: string, content: string) => ({ role, content });

it('a session as text has each question and answer once, and the prompt only where it changes', () => {
  const turns = ['Refund?', 'When?'].map((question, i) => ({
    number: i + 1,
    name: 'refund-agent',
    when: '09:12',
    outcome: i === 1 ? 'Failed' : '',
    talk: turnTalk(
      {
        input: aSpan({ input: JSON.stringify([message('system', 'Be exact.'), message('user', question)]) }),
        output: aSpan({ span_kind: 'llm', output: JSON.stringify([message('assistant', `Answer ${i}`)]) }),
      },
      undefined,
    ),
  }));
  expect(sessionText(turns)).toBe(
    [
      'Turn 1: refund-agent, 09:12',
      'system: Be exact.',
      'user: Refund?',
      'assistant: Answer 0',
      '---',
      'Turn 2: refund-agent, 09:12, Failed',
      'user: When?',
      'assistant: Answer 1',
    ].join('\n\n'),
  );
});
