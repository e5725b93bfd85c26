/** Recognises attributes, and fields of JSON, that hold the id or name of a session or user. For readers who may not see them. */
import { identitySources } from './identity-sources.ts';

/** This attribute is an object of many fields, of which some are ids. */
const sharedObject = 'metadata';

const known: ReadonlySet<string> = new Set(
  [...identitySources.session_id, ...identitySources.session_name, ...identitySources.user_id]
    .map((source) => (typeof source === 'string' ? source : source.key))
    .filter((key) => key !== sharedObject),
);
/** The spellings of the tables under any prefix: `sessionId`, `langsmith.metadata.thread_id`, `customer_user_id`. */
const idOfSomebody = /(?:session|thread|conversation|user)[._-]?(?:id|name)$/i;
/** Namespaces of OpenTelemetry: `user.email`, `enduser.pseudo.id`, `session.previous_id`. */
const namespace = /^(?:user|enduser|session)\./;

export const isIdentityKey = (key: string): boolean => known.has(key) || idOfSomebody.test(key) || namespace.test(key);
