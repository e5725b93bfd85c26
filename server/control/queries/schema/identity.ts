/** The drizzle tables. A test compares every schema file with the migrations. */
import { blob, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Permission } from '../../../../shared/contract/identity/permissions.ts';
import type { Actor } from '../../actor.ts';
import type { AuditChange } from '../../audit-changes.ts';
import type { EnvironmentKind } from '../../environment-store.ts';
import type { Plan, Role } from '../../tenant-store.ts';
import { assignedNumber } from './assigned-number.ts';

export const tenants = sqliteTable('tenant', {
  id: text().primaryKey(),
  name: text().notNull(),
  plan: text().$type<Plan>().notNull(),
  created_at: text().notNull(),
});

export const users = sqliteTable('user', {
  id: text().primaryKey(),
  email: text().notNull(),
  name: text(),
  password_hash: text(),
  created_at: text().notNull(),
});

export const invitations = sqliteTable('invitation', {
  id: text().primaryKey(),
  tenant_id: text().notNull(),
  email: text().notNull(),
  name: text(),
  role: text().$type<Role>().notNull(),
  digest: blob({ mode: 'buffer' }).notNull(),
  created_at: text().notNull(),
  created_by: text().notNull(),
  expires_at: text().notNull(),
});

export const passwordResets = sqliteTable('password_reset', {
  digest: blob({ mode: 'buffer' }).primaryKey(),
  user_id: text().notNull(),
  expires_at: text().notNull(),
});

export const linkedIdentities = sqliteTable('linked_identity', {
  issuer: text().notNull(),
  subject: text().notNull(),
  user_id: text().notNull(),
});

export const members = sqliteTable('member', {
  tenant_id: text().notNull(),
  user_id: text().notNull(),
  role: text().$type<Role>().notNull(),
  joined_at: text().notNull(),
});

export const sessions = sqliteTable('session', {
  id: text().primaryKey(),
  user_id: text().notNull(),
  tenant_id: text().notNull(),
  created_at: text().notNull(),
  expires_at: text().notNull(),
  client: text(),
  ip: text(),
  last_used_at: text(),
});

export const apps = sqliteTable('app', {
  id: text().primaryKey(),
  tenant_id: text().notNull(),
  name: text().notNull(),
  display_name: text(),
  runtime: text().$type<'nodejs' | 'python'>(),
  entry_point: text(),
  commit_sha: text(),
  created_at: text().notNull(),
  created_by: text(),
  updated_at: text(),
  updated_by: text(),
});

export const environments = sqliteTable('environment', {
  id: text().primaryKey(),
  tenant_id: text().notNull(),
  app_id: text().notNull(),
  name: text().notNull(),
  kind: text().$type<EnvironmentKind>().notNull(),
  is_default: integer({ mode: 'boolean' }).notNull(),
  is_ephemeral: integer({ mode: 'boolean' }).notNull(),
  source_pr_number: integer(),
  current_version: integer(),
  current_commit_sha: text(),
  latest_deployment_id: text(),
  epoch: integer().notNull(),
  hosting_app_name: text(),
  created_at: text().notNull(),
  created_by_id: text(),
  updated_at: text(),
});

export const apiKeys = sqliteTable('api_key', {
  id: text().primaryKey(),
  tenant_id: text().notNull(),
  app_id: text().notNull(),
  name: text().notNull(),
  digest: blob({ mode: 'buffer' }).notNull(),
  key_prefix: text().notNull(),
  permissions: text({ mode: 'json' }).$type<Permission[]>().notNull(),
  environment_id: text(),
  environment_kinds: text({ mode: 'json' }).$type<EnvironmentKind[]>(),
  run_id: text(),
  created_at: text().notNull(),
  created_by: text(),
  last_used_at: text(),
  expires_at: text(),
  revoked_at: text(),
});

export const audit = sqliteTable('audit', {
  id: assignedNumber(),
  at: text().notNull(),
  tenant_id: text().notNull(),
  app_id: text(),
  actor_kind: text().$type<Actor['kind']>().notNull(),
  actor_id: text().notNull(),
  ip: text(),
  action: text().notNull(),
  target: text().notNull(),
  before_hash: text(),
  after_hash: text(),
  changes: text({ mode: 'json' }).$type<AuditChange[]>(),
});

export const appErasures = sqliteTable('app_erasure', {
  position: assignedNumber(),
  tenant_id: text().notNull(),
  app_id: text().notNull(),
});
