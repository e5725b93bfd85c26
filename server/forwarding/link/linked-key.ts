/** Result of a link: a key for one app, and its environment. */
export interface LinkedKey {
  url: string;
  key: string;
  app_id: string;
  app_name: string;
  tenant_name: string;
  environment: string | null;
}
