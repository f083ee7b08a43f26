import type { RoleType } from '../shared/roles.ts'

/** The help pages in order, each with its readers. Their titles are in the words, their texts in `pages/`. */
export const pages = [
  { page: 'getting-started', for: ['account-owner'] },
  { page: 'links-and-attribution', for: ['account-owner', 'partner'] },
  { page: 'commissions', for: ['account-owner', 'partner'] },
  { page: 'payouts', for: ['account-owner'] },
  { page: 'being-paid', for: ['partner'] },
  { page: 'tax-years', for: ['account-owner'] },
  { page: 'payment-providers', for: ['account-owner'] },
  { page: 'incoming-webhooks', for: ['account-owner'] },
  { page: 'outgoing-webhooks', for: ['account-owner'] },
  { page: 'push-data', for: ['account-owner'] },
  { page: 'embed-code', for: ['account-owner'] },
  { page: 'imports-and-exports', for: ['account-owner'] },
  { page: 'accounts-and-mail', for: ['admin'] },
  { page: 'backups', for: ['admin'] },
] as const satisfies readonly { page: string; for: readonly RoleType[] }[]

export type HelpPage = (typeof pages)[number]['page']

/** The docs, served by the same server as the application. */
export const DOCS = '/docs'

/** Returns whether this role sets up or runs what the docs describe. */
export const readsDocs = (role: RoleType | undefined) => role === 'account-owner' || role === 'admin'

/** Returns the help pages of a role. */
export const pagesFor = (role: RoleType | undefined) =>
  pages.filter((one) => role !== undefined && (one.for as readonly RoleType[]).includes(role))
