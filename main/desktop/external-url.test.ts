import { beforeEach, expect, test } from 'vitest';
import type { Question } from './ask.ts';
import { externalUrl, opener } from './external-url.ts';

const opened: string[] = [];
const openExternal = opener(async (url) => void opened.push(url));

const questions: Question[] = [];
const answering = (index: number) => async (question: Question) => {
  questions.push(question);
  return index;
};

beforeEach(() => {
  opened.length = 0;
  questions.length = 0;
});

const hostile = [
  '',
  'example.com',
  '//example.com',
  '/etc/passwd',
  'C:\\Windows\\System32\\calc.exe',
  '\\\\attacker\\share\\run.exe',
  'file:///etc/passwd',
  'file://attacker/share/run.exe',
  'smb://attacker/share',
  'ms-msdt:/id PCWDiagnostic /skip force',
  'search-ms:query=x&crumb=location:\\\\attacker',
  'ms-officecmd:{}',
  'vscode://file/etc/passwd',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  '\u0000javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'blob:https://example.com/8c9a',
  'view-source:https://example.com',
  'chrome://settings',
  'devtools://devtools/bundled/inspector.html',
  'about:blank',
  'mailto:a@example.com?attach=/etc/passwd',
  'tel:+1',
  'ftp://example.com',
  'ws://example.com',
  'intent://x#Intent;scheme=http;end',
  'https://user@example.com',
  'https://user:secret@example.com',
  'https://:secret@example.com',
  'https://bank.example@attacker.example/',
  'https://',
  'https://exa mple.com',
  'https://[::1',
  'https://example.com:99999',
];

test.each(hostile)('%j is never opened, and nobody is asked', async (text) => {
  expect(externalUrl(text)).toBeNull();
  expect(await openExternal(text, answering(0))).toBe(false);
  expect([questions, opened]).toEqual([[], []]);
});

test.each([
  // What is written, what is shown as its host, what is opened.
  ['https://example.com/a?b=c#d', 'example.com', 'https://example.com/a?b=c#d'],
  ['HTTP://EXAMPLE.com', 'example.com', 'http://example.com/'],
  ['  https://example.com\n', 'example.com', 'https://example.com/'],
  ['https://аррӏе.com', 'xn--80ak6aa92e.com', 'https://xn--80ak6aa92e.com/'],
  ['https:\\\\attacker.example\\@bank.example', 'attacker.example', 'https://attacker.example/@bank.example'],
  ['http://2130706433:81/', '127.0.0.1:81', 'http://127.0.0.1:81/'],
  ['https://example.com/\u202Egpj.exe', 'example.com', 'https://example.com/%E2%80%AEgpj.exe'],
])('%j is opened in its canonical form, after its host was shown', async (text, host, href) => {
  expect(await openExternal(text, answering(0))).toBe(true);
  expect(questions[0]?.message).toContain(` ${host} `);
  expect(questions[0]?.detail).toBe(href);
  expect(opened).toEqual([href]);
});

test('an address that the user declines is not opened', async () => {
  expect(await openExternal('https://example.com', answering(1))).toBe(false);
  expect(opened).toEqual([]);
});

test('a page that asks again and again gets one question', async () => {
  const answer = Promise.withResolvers<number>();
  const first = openExternal('https://example.com/1', () => answer.promise);
  expect(await openExternal('https://example.com/2', answering(0))).toBe(false);
  answer.resolve(0);
  expect(await first).toBe(true);
  expect(opened).toEqual(['https://example.com/1']);
  expect(await openExternal('https://example.com/3', answering(0))).toBe(true);
});

test('an address over the length limit is never opened', async () => {
  expect(await openExternal(`https://example.com/${'a'.repeat(9000)}`, answering(0))).toBe(false);
  expect([questions, opened]).toEqual([[], []]);
});

test('a long address is shown truncated and opened in full', async () => {
  const href = `https://example.com/${'a'.repeat(1000)}`;
  await openExternal(href, answering(0));
  expect(questions[0]?.detail.length).toBeLessThan(310);
  expect(opened).toEqual([href]);
});
