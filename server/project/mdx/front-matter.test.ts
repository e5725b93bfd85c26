import { expect, it } from 'vitest';
import { frontMatterOf, yamlOf } from './front-matter.ts';
import { TemplateSyntaxError } from './template-syntax-error.ts';

const parse = (yaml: string) => frontMatterOf(yaml);

it.each([
  ['---\na: 1\nb: 2\n---\nHi', 'a: 1\nb: 2'],
  ['---  \r\na: 1\r\n---\t', 'a: 1'],
  ['---\n---\n', ''],
  ['---\n\n---\n', ''],
  ['--- a\n---\n', null],
  ['Hi\n---\na: 1\n---', null],
])('the front matter of %j is %j', (text, yaml) => {
  expect(yamlOf(text)).toBe(yaml);
});

it.each(['---', '---\nname: x', '---\na: 1\n--- b\n'])('%j has none, or one that is not closed', (text) => {
  if (text === '---') expect(yamlOf(text)).toBeNull();
  else expect(() => yamlOf(text)).toThrow(/not closed/);
});

it.each([
  ['name: [a', 2, 9],
  ['a:\n\tb: 1', 3, 1],
  ['nothing', 2, 1],
])('%j is refused with its location, counted from the fence', (yaml, line, column) => {
  expect(() => parse(yaml)).toThrow(expect.objectContaining({ line, column }));
});

it.each([
  ['name: triage', 'triage'],
  ['a: 1\nname:   "tri\\u0061ge"  # x', 'triage'],
  ["name: 'it''s'", "it's"],
  ['name: a b # c', 'a b'],
  ['name: >-\n  folded\n  text', 'folded text'],
  ['name: 12', '12'],
  ['base: &n aliased\nname: *n', 'aliased'],
  ['{ "name": flow, b: [1, 2] }', 'flow'],
  ['nested:\n  name: x', null],
  ['name: [a]', null],
  ['name:', null],
  ['', null],
])('the name in %j is %j', (yaml, name) => {
  expect(parse(yaml).name).toBe(name);
});

it.each([
  ['agentmark_meta:\n  commit_sha: old\n  x: 1\nb: 2', 'agentmark_meta:\n  commit_sha: new\n  x: 1\nb: 2'],
  ['a:   1 # as written', 'a:   1 # as written\nagentmark_meta:\n  commit_sha: new'],
  ['a: |\n  kept\n', 'a: |\n  kept\n\nagentmark_meta:\n  commit_sha: new'],
  ['{ a: 1 }', '{ a: 1, agentmark_meta: { commit_sha: new } }'],
  ['agentmark_meta: { x: 1 }', 'agentmark_meta: { x: 1, commit_sha: new }'],
  ['', 'agentmark_meta:\n  commit_sha: new'],
])('the commit is added to %j once', (yaml, expected) => {
  expect(parse(yaml).withCommit('new')).toBe(expected);
});

const bomb = [...'bcdefghij'].map(
  (key, at) =>
    `${key}: &${key} [${Array(9)
      .fill(`*${String.fromCharCode(97 + at)}`)
      .join(', ')}]`,
);

it.each([
  ['aliases that expand to billions of values', `a: &a [x, x, x]\n${bomb.join('\n')}`],
  ['a tag that would run code', 'a: !!js/function "function () { process.exit() }"'],
  ['an unknown tag', 'a: !thing x'],
  ['the same key twice', 'a: 1\na: 2'],
  ['a list', '- a'],
  ['nesting deeper than a stack', '['.repeat(60_000)],
  ['a text that is too long', `a: ${'x'.repeat(70_000)}`],
  ['an alias without an anchor', 'a: *b'],
])('%s is refused', (_what, yaml) => {
  expect(() => parse(yaml)).toThrow(TemplateSyntaxError);
});
