/** Logins know from where they began and when they were last used, for the person who looks at them. */
export const logins = `
ALTER TABLE session ADD COLUMN client TEXT;
ALTER TABLE session ADD COLUMN ip TEXT;
ALTER TABLE session ADD COLUMN last_used_at TEXT;
`;
