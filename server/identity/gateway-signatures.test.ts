/** Requests between gateways while the secret of the installation is changed. */
import { expect, it } from 'vitest';
import { systemClock } from '../platform/clock.ts';
import { digestOf, GatewaySignatures } from './gateway-signatures.ts';
import type { Secrets } from './secrets.ts';

const [before, after] = ['the secret before the change', 'the secret after the change'];
const of = (...secrets: Secrets) => new GatewaySignatures(secrets, systemClock);

it('gateways at every step of a change accept the requests of those one step apart', () => {
  const steps: Secrets[] = [[before], [before, after], [after, before], [after]];
  const body = Buffer.from('a task');
  const isAccepted = steps.map((from) =>
    steps.map(
      (to) =>
        of(...to)
          .accept('POST', '/internal', of(...from).sign('POST', '/internal', body))
          ?.equals(digestOf(body)) ?? false,
    ),
  );
  expect(isAccepted).toEqual([
    [true, true, true, false],
    [true, true, true, false],
    [false, true, true, true],
    [false, true, true, true],
  ]);
});
