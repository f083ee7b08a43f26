import type { RoleType } from './roles.ts'

/** The docs, served by the same server as the application. */
export const DOCS = '/docs'

const starts: Partial<Record<RoleType, string>> = {
  partner: `${DOCS}/partners`,
  'partner-member': `${DOCS}/partners`,
  'account-finance': `${DOCS}/finance`,
  admin: `${DOCS}/self-hosting`,
}

/** Returns the page of the docs that a role starts from. */
export const firstDocsPage = (role: RoleType | undefined) => (role && starts[role]) ?? DOCS

/** The page or part of the docs about each integration, and each tab of the settings. */
export const aboutPages = {
  'payment-providers': `${DOCS}/providers`,
  'incoming-webhooks': `${DOCS}/integrations/incoming-webhooks`,
  'outgoing-webhooks': `${DOCS}/integrations/outgoing-webhooks`,
  'push-data': `${DOCS}/integrations/push-api`,
  'embed-code': `${DOCS}/integrations/embed-script`,
  general: `${DOCS}/start#3-set-commission-rates`,
  people: `${DOCS}/concepts/people`,
  commission: `${DOCS}/concepts/terms`,
  attribution: `${DOCS}/concepts/attribution`,
  partners: `${DOCS}/partners`,
  program: `${DOCS}/program`,
  payouts: `${DOCS}/concepts/payouts`,
  invoices: `${DOCS}/concepts/invoices`,
  books: `${DOCS}/concepts/books`,
  data: `${DOCS}/integrations/csv-imports`,
  import: `${DOCS}/moving`,
  activity: `${DOCS}/security#logs-and-records`,
  'partner-settings': `${DOCS}/partners#getting-paid`,
} as const

/** The steps for serving over https. */
export const HTTPS_STEPS = `${DOCS}/self-hosting#nginx-and-caddy`
