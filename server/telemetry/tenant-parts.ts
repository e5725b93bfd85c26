import { hash } from 'node:crypto';

/** Tenants are spread over so many parts of the journal, each of which has one owner at a time. */
export const partCount = 32;

/** One owner for a tenant: its quota, and the order of arrival in its apps, are decided in one place. */
export const partOf = (tenantId: string): number => hash('sha256', tenantId, 'buffer').readUInt32BE(0) % partCount;
