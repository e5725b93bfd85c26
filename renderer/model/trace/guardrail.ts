/** Decision of a guardrail whose output has a known format. */
export interface Verdict {
  isPassed: boolean;
  word: string;
  reason: string;
}

type Fields = Record<string, unknown>;

const passingKeys = ['passed', 'pass', 'valid', 'is_valid', 'isValid', 'allowed', 'is_safe', 'safe', 'ok', 'compliant'];
const failingKeys = [
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
const verdictWords: Record<string, boolean> = {
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

function readFlag(fields: Fields): boolean | null {
  for (const key of passingKeys) if (typeof fields[key] === 'boolean') return fields[key];
  for (const key of failingKeys) if (typeof fields[key] === 'boolean') return !fields[key];
  for (const key of ['verdict', 'decision', 'action', 'result', 'status', 'outcome']) {
    const word = typeof fields[key] === 'string' ? fields[key].toLowerCase() : '';
    if (Object.hasOwn(verdictWords, word)) return verdictWords[word] ?? null;
  }
  return null;
}

export function readVerdict(value: unknown): Verdict | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const fields = value as Fields;
  const isPassed = readFlag(fields);
  if (isPassed === null) return null;
  const reason = ['reason', 'message', 'explanation', 'category', 'policy']
    .map((key) => fields[key])
    .find((text) => typeof text === 'string');
  return { isPassed, word: isPassed ? 'passed' : 'blocked', reason: typeof reason === 'string' ? reason : '' };
}
