import { expect, it } from 'vitest';
import { connectableAgents } from './agents.ts';
import { changeLines, replacedLines } from './change-lines.ts';
import { connecting } from './connection.ts';

const agent = connectableAgents['claude-code'];
const settings = agent.settingsFor('http://127.0.0.1:9418');

it('shows whole what would be written, and neither keys of the user nor anything that a terminal would execute', () => {
  const env = {
    ANTHROPIC_API_KEY: 'sk-one',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://ada:sk-two@collector',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=sk-three',
  };
  const before = `{"model": "\u202e",\n"env": ${JSON.stringify(env, null, 2)}}`;
  const { text, replaced } = connecting(agent.format, before, settings);
  const shown = changeLines('/home/\u001b[2J/settings.json', before, text) + replacedLines(agent, replaced);
  for (const text of ['sk-', '\u001b', '\u202e']) expect(shown).not.toContain(text);
  for (const { path, value } of settings) if (value !== null) expect(shown).toContain(`+  "${path[1]}": "${String(value)}"`);
  expect(shown).toContain('OTEL_EXPORTER_OTLP_ENDPOINT is "https://ada:…@collector" now, and would be replaced');
  expect(shown).toContain('OTEL_EXPORTER_OTLP_HEADERS is … now, and would be taken out.');
});

it('says that a file is new, or would be removed', () => {
  expect(changeLines('a.json', null, '{}\n')).toBe('a.json (new file)\n@@ line 1\n+{}\n');
  expect(changeLines('a.json', '{}\n', null)).toBe('a.json (removed)\n@@ line 1\n-{}\n');
});
