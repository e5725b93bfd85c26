import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { connecting, disconnecting, isConnected, type Setting } from './connection.ts';
import { jsonSettings } from './json-settings.ts';
import { SettingsError } from './settings-format.ts';
import { tomlSettings } from './toml-settings.ts';

const url = 'http://127.0.0.1:9418';
const jsonChange: Setting[] = [
  { path: ['env', 'ENDPOINT'], value: url },
  { path: ['env', 'ENABLED'], value: '1' },
  { path: ['env', 'HEADERS'], value: null },
  { path: ['servers', 'glasshouse'], value: { url } },
];
const exporter = { 'otlp-http': { endpoint: `${url}/v1/logs`, protocol: 'binary' } };
const tomlChange: Setting[] = [
  { path: ['otel', 'log_user_prompt'], value: true },
  { path: ['otel', 'exporter'], value: exporter },
];

const json = (text: string | null) => connecting(jsonSettings, text, jsonChange);
const toml = (text: string | null) => connecting(tomlSettings, text, tomlChange);

describe('a JSON file', () => {
  it('keeps comments, order, commas and indentation, and gets its settings beside the others', () => {
    const before = `// mine
{
\t"model": "opus", // the big one
\t"env": {
\t\t"FIRST": "1", /* one */
\t\t"ENDPOINT": "http://other:4318", // the collector
\t\t"HEADERS": "key=secret", // its key
\t\t"LAST": "2" // two
\t},
\t"hooks": [ 1,2 ,3 ],
}
`;
    expect(json(before).text).toBe(`// mine
{
\t"model": "opus", // the big one
\t"env": {
\t\t"FIRST": "1", /* one */
\t\t"ENDPOINT": "${url}", // the collector
 // its key
\t\t"LAST": "2", // two
\t\t"ENABLED": "1"
\t},
\t"hooks": [ 1,2 ,3 ],
\t"servers": {
\t\t"glasshouse": { "url": "${url}" }
\t},
}
`);
  });

  it('names the values that it replaces or takes away', () => {
    const { replaced } = json('{"env": {"ENDPOINT": "http://other:4318", "HEADERS": "key=secret", "ENABLED": "1"}}');
    expect(replaced.map(({ path, source, value }) => [path.join('.'), source, value])).toEqual([
      ['env.ENDPOINT', '"http://other:4318"', url],
      ['env.HEADERS', '"key=secret"', null],
    ]);
  });

  it.each([
    [
      '',
      `{\n  "env": {\n    "ENDPOINT": "${url}",\n    "ENABLED": "1"\n  },\n  "servers": {\n    "glasshouse": { "url": "${url}" }\n  }\n}\n`,
    ],
    [
      '{"env":{"A":"1"},"servers":{}}',
      `{"env":{"A":"1", "ENDPOINT": "${url}", "ENABLED": "1"},"servers":{\n  "glasshouse": { "url": "${url}" }\n}}`,
    ],
    [
      '{\r\n    "env": {},\r\n    "servers": { /* none */ }\r\n}',
      `{\r\n    "env": {\r\n        "ENDPOINT": "${url}",\r\n        "ENABLED": "1"\r\n    },\r\n    "servers": { /* none */\r\n        "glasshouse": { "url": "${url}" }\r\n    }\r\n}`,
    ],
  ])('is written as a person would: %j', (before, after) => expect(json(before).text).toBe(after));

  it.each([
    ['{\n  "env": {"A": 1,}\n  "b": 2\n}', 3],
    ['{\n  "env": "x"\n}', 2],
    ['[]', 1],
    ['{\n/* open', 2],
    ['{"a": 01}', 1],
  ])('that cannot be read, or has no place for the settings, is refused with its line: %j', (text, line) => {
    expect(() => json(text)).toThrow(expect.objectContaining({ constructor: SettingsError, line }));
  });
});

it('a JSON file may begin with a byte order mark, which stays, and have at most 200 levels', () => {
  expect(jsonSettings.edit('\uFEFF{"a": 1}', ['a'], '2')).toBe('\uFEFF{"a": 2}');
  for (const levels of [202, 100_000]) {
    expect(() => jsonSettings.read(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)).toThrow('more than 200 levels');
    expect(() => jsonSettings.read(`{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`)).toThrow('more than 200 levels');
  }
});

describe('a TOML file', () => {
  it('is changed in its table only', () => {
    const before = `model = "gpt-5"  # mine
[otel] # telemetry
  environment = """
[otel]
exporter = 1
"""
  exporter = "none" # nowhere

[mcp_servers.x]
args = [
  "a", # [otel]
]
`;
    expect(toml(before).text).toBe(
      before
        .replace('"none"', `{ otlp-http = { endpoint = "${url}/v1/logs", protocol = "binary" } }`)
        .replace('# nowhere\n', '# nowhere\n  log_user_prompt = true\n'),
    );
  });

  it.each([
    ['', `[otel]\nlog_user_prompt = true\nexporter = E\n`],
    ['a = 1', `a = 1\n\n[otel]\nlog_user_prompt = true\nexporter = E\n`],
    ['otel.environment = "x"\r\n[b]\r\n', `otel.environment = "x"\r\notel.log_user_prompt = true\r\notel.exporter = E\r\n[b]\r\n`],
    [
      '[otel]\nexporter.otlp-grpc.endpoint = "x"\n[otel.span_attributes]\na = "b"\n',
      `[otel]\nlog_user_prompt = true\nexporter = E\n[otel.span_attributes]\na = "b"\n`,
    ],
    [
      '[otel]\nlog_user_prompt = false\n\n[otel.exporter."otlp-http"]\nendpoint = "x"\n# its key\n[otel.exporter."otlp-http".headers]\nk = "v"\n[z]\n',
      `[otel]\nlog_user_prompt = true\nexporter = E\n\n# its key\n[z]\n`,
    ],
  ])('gets the table where it has none: %j', (before, after) => {
    expect(toml(before).text).toBe(after.replace('E', `{ otlp-http = { endpoint = "${url}/v1/logs", protocol = "binary" } }`));
  });

  it.each([
    ['a = 1\n\n[otel\n', 3],
    ['b = 2\notel = { environment = "x" }\n', 2],
    ['[[otel]]\n', 1],
  ])('that cannot be read, or has no place for the settings, is refused with its line: %j', (text, line) => {
    expect(() => toml(text)).toThrow(expect.objectContaining({ constructor: SettingsError, line }));
  });
});

const gap = fc.constantFrom('', ' ', '\n', '\n  ', '\r\n\t', ' /* "env": { */ ', ' // }\n', '\t');
const key = fc.oneof(fc.constantFrom('env', 'ENDPOINT', 'HEADERS', 'servers', 'glasshouse', '__proto__'), fc.string());
/** A value with white space and comments around everything. */
const { jsonText } = fc.letrec<{ jsonText: string; object: string; scalar: string }>((tie) => ({
  jsonText: fc.oneof({ depthSize: 'small', withCrossShrink: true }, tie('scalar'), tie('object')),
  scalar: fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.string(), fc.constant(url)).map((value) => JSON.stringify(value)),
  object: fc
    .tuple(fc.array(fc.tuple(key, gap, gap, tie('jsonText'), gap), { maxLength: 5 }), gap, fc.boolean())
    .map(([members, first, hasComma]) => {
      const texts = members.map(([name, a, b, value, c]) => `${a}${JSON.stringify(name)}${b}:${value}${c}`);
      return `{${first}${texts.join(',')}${hasComma && texts.length > 0 ? ',' : ''}${first}}`;
    }),
}));

const tomlLine = fc.constantFrom(
  ...['model = "gpt"', '# [otel]', '', '  x = """\n[otel]\n"""', "y = 'it = 1' # z", 'args = [\n "a", # ]\n "b" ]', '"a b".c = { d = 1 }'],
);
const otelLine = fc.constantFrom(
  'exporter = "none"',
  'log_user_prompt = false',
  'environment = "dev" # mine',
  'log_user_prompt = true',
  '',
);
const tomlText = fc
  .tuple(
    fc.uniqueArray(tomlLine, { maxLength: 5 }),
    fc.option(fc.uniqueArray(otelLine, { selector: (line) => line.split(' ')[0], maxLength: 4 }), { nil: null }),
    fc.boolean(),
    fc.constantFrom('\n', '\r\n'),
    fc.boolean(),
  )
  .map(([lines, otel, hasMore, eol, endsLine]) => {
    const all = [...lines, ...(otel ? ['[ otel ]', ...otel] : []), ...(hasMore ? ['[[z]]', 'exporter = 1'] : [])];
    return all.join('\n').replaceAll('\n', eol) + (endsLine ? eol : '');
  });

const files = fc.oneof(
  jsonText.map((text) => ({ format: jsonSettings, settings: jsonChange, text, appended: '\n// added later\n' })),
  tomlText.map((text) => ({ format: tomlSettings, settings: tomlChange, text, appended: '\n# added later\n' })),
);

describe('any file', () => {
  it('is connected with nothing else changed, and restored byte for byte', () => {
    let connected = 0;
    fc.assert(
      fc.property(files, ({ format, settings, text: before, appended }) => {
        let made: ReturnType<typeof connecting>;
        try {
          made = connecting(format, before, settings);
        } catch (error) {
          // Settings have no place in a list, say.
          expect(error).toBeInstanceOf(SettingsError);
          return;
        }
        connected++;
        const { text, change } = made;
        expect(isConnected(format, text, settings)).toBe(true);
        expect(connecting(format, text, settings).text).toBe(text);
        expect(disconnecting(format, text, change)).toEqual({ text: before, kept: [] });
        // After another change of the file, the values of before are back, and that change is still there.
        const later = disconnecting(format, text + appended, change).text ?? '';
        expect(later.endsWith(appended)).toBe(true);
        expect(format.read(later)).toEqual(format.read(before));
      }),
      { numRuns: propertyRuns(300) },
    );
    expect(connected).toBeGreaterThan(50);
  });
});

describe('disconnecting', () => {
  it('leaves what the user changed since, and says so', () => {
    const { text, change } = json('{\n  "env": {\n    "ENDPOINT": "http://other:4318"\n  }\n}\n');
    const edited = text.replace('"ENABLED": "1"', '"ENABLED": "0",\n    "HEADERS": "x=y"');
    expect(disconnecting(jsonSettings, edited, change)).toEqual({
      text: '{\n  "env": {\n    "ENDPOINT": "http://other:4318",\n    "ENABLED": "0",\n    "HEADERS": "x=y"\n  }\n}\n',
      kept: [['env', 'ENABLED']],
    });
  });

  it('removes a file that it made, unless something was added to it', () => {
    const { text, change } = json(null);
    expect(disconnecting(jsonSettings, text, change).text).toBeNull();
    const added = text.replace('{\n', '{\n  "model": "opus",\n');
    expect(disconnecting(jsonSettings, added, change).text).toBe('{\n  "model": "opus"\n}\n');
  });
});
