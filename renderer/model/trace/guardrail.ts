/** Decision of a guardrail, where its output has a known form. */
export interface Verdict {
  isPassed: boolean;
  word: string;
  reason: string;
}

type Fields = Record<string, unknown>;

const passing = ['passed', 'pass', 'valid', 'is_valid', 'isValid', 'allowed', 'is_safe', 'safe', 'ok', 'compliant'];
const failing = [
  'triggered',
  'tripwire_triggered',
  'tripwireTriggered',
  'blocked',
  'flagged',
  'violated',
  'violation',
  'rejected',
  'intervened',
];
const words: Record<string, boolean> = {
  pass: true,
  passed: true,
  allow: true,
  allowed: true,
  safe: true,
  valid: true,
  none: true,
  fail: false,
  failed: false,
  block: false,
  blocked: false,
  deny: false,
  denied: false,
  flagged: false,
  unsafe: false,
  guardrail_intervened: false,
};

function flag(fields: Fields): boolean | null {
  for (const key of passing) if (typeof fields[key] === 'boolean') return fields[key];
  for (const key of failing) if (typeof fields[key] === 'boolean') return !fields[key];
  for (const key of ['verdict', 'decision', 'action', 'result', 'status', 'outcome']) {
    const word = typeof fields[key] === 'string' ? fields[key].toLowerCase() : '';
    if (Object.hasOwn(words, word)) return words[word] ?? null;
  }
  return null;
}

export function readVerdict(value: unknown): Verdict | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const fields = value as Fields;
  const isPassed = flag(fields);
  if (isPassed === null) return null;
  const reason = ['reason', 'message', 'explanation', 'category', 'policy']
    .map((key) => fields[key])
    .find((each) => typeof each === 'string');
  return { isPassed, word: isPassed ? 'passed' : 'blocked', reason: typeof reason === 'string' ? reason : '' };
}
