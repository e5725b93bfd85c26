/** Writes one line of JSON per event to stderr; stdout is for the ready line and for results of commands. */
export interface Log {
  info(event: string, fields?: Record<string, unknown>): void;
  error(event: string, fields?: Record<string, unknown>): void;
}

const secretKey = /authorization|api[-_]?key|cookie|password|secret|token/i;

function write(level: string, event: string, fields: Record<string, unknown> = {}): void {
  const safe = Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, secretKey.test(key) ? '[redacted]' : value]));
  process.stderr.write(`${JSON.stringify({ at: new Date().toISOString(), level, event, ...safe })}\n`);
}

export const stderrLog: Log = {
  info: (event, fields) => write('info', event, fields),
  error: (event, fields) => write('error', event, fields),
};

export const silentLog: Log = { info: () => {}, error: () => {} };
