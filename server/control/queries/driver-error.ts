import { DrizzleQueryError } from 'drizzle-orm';

/** The error of the database. Drizzle may wrap it in one whose message has all parameters, secrets included. */
export const driverError = (error: unknown): unknown => (error instanceof DrizzleQueryError ? error.cause : error);
