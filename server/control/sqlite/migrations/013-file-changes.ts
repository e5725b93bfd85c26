/**
 * Which files a snapshot changed, compared with the one that its environment served before: noted when it is deployed, so that nobody has to
 * compare snapshots to find when a file changed. `hash` is null where the file was removed. `position` is the order in which it happened.
 */
export const fileChanges = `
CREATE TABLE file_change (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id TEXT NOT NULL REFERENCES environment ON DELETE CASCADE,
  deployment_id TEXT NOT NULL REFERENCES template_snapshot ON DELETE CASCADE,
  path TEXT NOT NULL,
  change TEXT NOT NULL,
  hash TEXT
) STRICT;
CREATE INDEX file_change_path ON file_change (environment_id, path, position);
CREATE INDEX file_change_deployment ON file_change (deployment_id);

WITH ordered AS (
  SELECT deployment_id, environment_id, row_number() OVER (PARTITION BY environment_id ORDER BY created_at, rowid) AS place
  FROM template_snapshot
), neighbour AS (
  SELECT next.environment_id, next.place, next.deployment_id, previous.deployment_id AS before_id
  FROM ordered next
  LEFT JOIN ordered previous ON previous.environment_id = next.environment_id AND previous.place = next.place - 1
)
INSERT INTO file_change (environment_id, deployment_id, path, change, hash)
SELECT environment_id, deployment_id, path, change, hash FROM (
  SELECT n.environment_id, n.place, n.deployment_id, f.path, f.hash,
    CASE WHEN g.hash IS NULL THEN 'added' ELSE 'changed' END AS change
  FROM neighbour n
  JOIN snapshot_file f ON f.deployment_id = n.deployment_id
  LEFT JOIN snapshot_file g ON g.deployment_id = n.before_id AND g.path = f.path
  WHERE g.hash IS NULL OR g.hash <> f.hash
  UNION ALL
  SELECT n.environment_id, n.place, n.deployment_id, g.path, NULL, 'removed'
  FROM neighbour n
  JOIN snapshot_file g ON g.deployment_id = n.before_id
  WHERE NOT EXISTS (SELECT 1 FROM snapshot_file f WHERE f.deployment_id = n.deployment_id AND f.path = g.path)
) ORDER BY environment_id, place, path;
`;
