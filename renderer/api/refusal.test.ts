import { expect, it } from 'vitest';
import { GatewayError } from '../../shared/client.ts';
import { refusalOf, restOf } from './refusal.ts';

const refusalFor = (status: number, error: object) => refusalOf(new GatewayError(status, { error: { message: 'No', ...error } }));

it('is shown beside the field that the gateway names', () => {
  const refusal = refusalFor(400, { code: 'invalid_request_body', details: { name: 'must not be empty', pin: 'is wrong.' } });
  expect(refusal).toEqual({ fields: { name: 'Must not be empty.', pin: 'Is wrong.' }, whole: null });
  expect(restOf(refusal, ['name'])).toBe('pin: Is wrong.');
  expect(restOf(refusal, ['name', 'pin'])).toBeNull();
});

it('a duplicate name is shown beside the name field', () => {
  expect(refusalFor(409, { code: 'duplicate_alert_name', message: 'There is an alert named "x" already' }).fields).toEqual({
    name: 'There is an alert named "x" already.',
  });
});

it('a refusal by plan or role says what to do', () => {
  const plan = { code: 'entitlement_required', message: 'The plan allows 2 apps', entitlement: 'apps', current: 2, limit: 2 };
  expect(refusalFor(402, plan).whole).toMatch(/^The plan allows 2 apps\. There are 2\. Remove what is not needed/);
  expect(refusalFor(403, { code: 'forbidden', required_permission: 'app.write' }).whole).toContain('it needs app.write');
  expect(refusalOf(null)).toEqual({ fields: {}, whole: null });
});
