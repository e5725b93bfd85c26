import { expect, it } from 'vitest';
import { auditCsv } from './csv.ts';

const entry = {
  ...{ at: '2026-01-15T10:30:00.000Z', app_id: null, actor_kind: 'key' as const, actor_id: 'k', actor_name: 'nightly' },
  ...{ ip: '192.0.2.1', action: 'app.update', target: 'a', target_name: 'bot', changes: null },
};
const head = 'at,actor_kind,actor_id,actor_name,ip,action,target,target_name,app_id,changes';

it('has a head and one row per entry, and says what has changed', () => {
  const changes = [
    { field: 'name', before: 'a', after: 'b' },
    { field: 'note' },
    { field: 'plan', after: 'team' },
    { field: 'x', before: 1 },
  ];
  expect(auditCsv([])).toBe(`${head}\r\n`);
  expect(auditCsv([{ ...entry, changes }])).toBe(
    `${head}\r\n2026-01-15T10:30:00.000Z,key,k,nightly,192.0.2.1,app.update,a,bot,,name: a → b; note; plan: team; x: 1 → none\r\n`,
  );
});

it('a name that a spreadsheet would run as a formula is text, and separators in it stay in its cell', () => {
  const cellOf = (actor_name: string) =>
    auditCsv([{ ...entry, actor_name }])
      .split(',k,')[1]
      ?.split(',192.0.2.1')[0];
  for (const first of ['=', '+', '-', '@', '\t']) expect(cellOf(`${first}cmd()`)).toBe(`'${first}cmd()`);
  expect(cellOf('\r=cmd()')).toBe(`"'\r=cmd()"`);
  expect(cellOf('=HYPERLINK("http://a.test","b")')).toBe(`"'=HYPERLINK(""http://a.test"",""b"")"`);
  expect(cellOf('two\nlines')).toBe('"two\nlines"');
  expect(cellOf('a-b=c')).toBe('a-b=c');
});
