/** Apps that were deleted and whose telemetry is still to follow: it is in another file. They outlive the app on purpose. */
export const appErasures = `
CREATE TABLE app_erasure (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL,
  app_id TEXT NOT NULL
) STRICT;
`;
