import { describe, expect, it } from 'vitest';
import { addressOf, configuredAddress, localPortOf, placeOf } from './address.ts';
import { CommandError } from './command.ts';

describe('an address', () => {
  it('is taken from the command line, else the environment, else the default', () => {
    const environment = { GLASSHOUSE_URL: 'https://glasshouse.example/team/' };
    expect(addressOf({ url: 'http://localhost:1/' }, environment)).toBe('http://localhost:1');
    expect(addressOf({ port: '2' }, environment)).toBe('http://127.0.0.1:2');
    expect(addressOf({}, environment)).toBe('https://glasshouse.example/team');
    expect(addressOf({}, { GLASSHOUSE_URL: '' })).toBe('http://127.0.0.1:9418');
    expect(configuredAddress({}, {})).toBeUndefined();
  });

  it.each(['nonsense', 'ftp://localhost', 'http://u:p@localhost:9418', 'localhost:9418', 'http://localhost:9418/?x', 'http://[::1', ' '])(
    'is not %s, wherever it comes from',
    (bad) => {
      for (const say of [() => addressOf({ url: bad }, {}), () => addressOf({}, { GLASSHOUSE_URL: bad })])
        expect(say).toThrow(expect.objectContaining({ exitCode: 2, constructor: CommandError }));
    },
  );

  it.each(['0', '65536', 'x', '-1', '1e3', ''])('has no port %s', (port) => {
    expect(() => addressOf({ port }, {})).toThrow('--port must be a number from 1 to 65535');
  });

  it('can have a gateway started at it only on this machine, and with nothing after the port', () => {
    expect(['http://localhost:5', 'http://127.0.0.1:6', 'http://[::1]:7', 'http://localhost'].map(localPortOf)).toEqual([5, 6, 7, 80]);
    expect(['https://localhost:5', 'http://localhost:5/x', 'http://192.0.2.1:5'].map(localPortOf)).toEqual([null, null, null]);
    expect(['http://localhost:5', 'https://a.example'].map(placeOf)).toEqual(['on port 5', 'at https://a.example']);
  });
});
