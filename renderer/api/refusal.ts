/** A refusal of the gateway as messages: beside the field it concerns, else beside the button. */
import { GatewayError } from '../../shared/client.ts';
import { capital } from '../model/text/format.ts';
import { asFailure } from './failure.ts';

export interface Refusal {
  /** By the field name of the contract. */
  fields: Readonly<Record<string, string>>;
  /** Message without a field; null when every message has one. */
  whole: string | null;
}

const noRefusal: Refusal = { fields: {}, whole: null };

/** The field that an error code concerns. */
const fieldOf: Record<string, string> = {
  duplicate_api_key_name: 'name',
  duplicate_app_name: 'name',
  duplicate_alert_name: 'name',
  duplicate_score_config_name: 'name',
  duplicate_environment_name: 'name',
  duplicate_destination_name: 'name',
  duplicate_member: 'email',
  target_version_not_available: 'target_version',
};

const sentence = (text: string): string => {
  const started = capital(text);
  return /[.!?]$/.test(started) ? started : `${started}.`;
};

function messageOf(error: GatewayError): string {
  const { required_permission: permission, current } = error.extras;
  if (error.code === 'entitlement_required') {
    const usage = typeof current === 'number' && current > 0 ? ` There are ${current}.` : '';
    return `${sentence(error.message)}${usage} Remove what is not needed, or ask the operator of this gateway for another plan.`;
  }
  if (error.code === 'forbidden' && typeof permission === 'string')
    return `Your role does not allow this: it needs ${permission}. Ask an owner or admin of the team.`;
  return sentence(error.message);
}

/** @param error error of a mutation, or null */
export function refusalOf(error: unknown): Refusal {
  if (error === null || error === undefined) return noRefusal;
  if (!(error instanceof GatewayError)) return { fields: {}, whole: asFailure(error, '').why };
  const details = Object.entries(error.details).map(([field, problem]) => [field, sentence(problem)] as const);
  if (details.length > 0) return { fields: Object.fromEntries(details), whole: null };
  const field = fieldOf[error.code];
  return field === undefined ? { fields: {}, whole: messageOf(error) } : { fields: { [field]: messageOf(error) }, whole: null };
}

/** Messages of fields that are not on screen. */
export function restOf({ fields, whole }: Refusal, shown: readonly string[]): string | null {
  const rest = Object.entries(fields).flatMap(([field, problem]) => (shown.includes(field) ? [] : [`${field}: ${problem}`]));
  return [whole, ...rest].filter(Boolean).join(' ') || null;
}
