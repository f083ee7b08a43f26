import * as books from './accounting.ts'
import * as accounts from './accounts.ts'
import * as activity from './activity.ts'
import * as agreement from './agreement.ts'
import * as announcements from './announcements.ts'
import * as apiKeys from './api-keys.ts'
import * as joining from './applications.ts'
import * as material from './assets.ts'
import * as auth from './auth.ts'
import * as balances from './balances.ts'
import * as bulkActions from './bulk-actions.ts'
import * as claims from './claims.ts'
import * as clicks from './clicks.ts'
import * as commissions from './commissions.ts'
import * as dashboard from './dashboard.ts'
import * as dataTransfer from './data-transfer.ts'
import * as embed from './embed.ts'
import type { Endpoint } from './endpoint.ts'
import * as fraud from './fraud.ts'
import * as cases from './fraud-cases.ts'
import * as groups from './groups.ts'
import * as imports from './imports.ts'
import * as incomingWebhooks from './incoming-webhooks.ts'
import * as invoices from './invoices.ts'
import * as leads from './leads.ts'
import * as links from './links.ts'
import * as mail from './mail.ts'
import * as members from './members.ts'
import * as outgoingWebhooks from './outgoing-webhooks.ts'
import * as partners from './partners.ts'
import * as paymentFiles from './payment-files.ts'
import * as paymentProviders from './payment-providers.ts'
import * as payoutForm from './payout-form.ts'
import * as payoutReconciliation from './payout-reconciliation.ts'
import * as payoutSettings from './payout-settings.ts'
import * as payouts from './payouts.ts'
import * as portal from './portal.ts'
import * as people from './privacy.ts'
import * as push from './push.ts'
import * as rehearsals from './rehearsals.ts'
import * as reports from './reports.ts'
import * as sales from './sales.ts'
import * as secondFactor from './second-factor.ts'
import * as stats from './stats.ts'
import * as system from './system.ts'
import * as taxForms from './tax-forms.ts'
import * as taxYears from './tax-years.ts'
import * as terms from './terms.ts'

/**
 * The groups of calls, one file each; payouts have five, sign-in three. A new group needs a line here and one in
 * `examples/index.ts`. Their names are public: `joining`, `material`, `cases`, `books` and `people` stay until 2.0.
 */
const rooms = {
  auth: { ...auth, ...members, ...secondFactor },
  accounts,
  activity,
  'api-keys': apiKeys,
  partners,
  groups,
  joining,
  agreement,
  links,
  material,
  announcements,
  clicks,
  leads,
  people,
  sales,
  fraud,
  cases,
  claims,
  commissions,
  payouts: { ...payouts, ...payoutReconciliation, ...payoutSettings, ...payoutForm, ...balances },
  'payment-files': paymentFiles,
  'bulk-actions': bulkActions,
  'tax-years': { ...taxYears, ...taxForms },
  books,
  invoices,
  terms,
  stats,
  reports,
  dashboard,
  'payment-providers': paymentProviders,
  'outgoing-webhooks': outgoingWebhooks,
  'incoming-webhooks': incomingWebhooks,
  portal,
  push,
  embed,
  mail,
  'data-transfer': dataTransfer,
  imports,
  rehearsals,
  system,
}

export type Rooms = typeof rooms

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'allow' in value

/** Groups of calls in the reference, in its order. */
const tags = [
  'auth',
  'users',
  'accounts',
  'partners',
  'groups',
  'joining',
  'agreement',
  'links',
  'material',
  'announcements',
  'leads',
  'sales',
  'claims',
  'cases',
  'fraud',
  'commissions',
  'payouts',
  'reports',
  'payment-providers',
  'outgoing-webhooks',
  'incoming-webhooks',
  'imports',
  'bulk-actions',
  'rehearsals',
  'api-keys',
  'push',
  'embed',
  'mail',
  'system',
]

/** Every declared call with the room that answers it, in the reference's order: for OpenAPI and the access test. */
export const endpoints: readonly (Endpoint & { room: string; tag: string })[] = Object.entries(rooms)
  .flatMap(([room, declared]) =>
    Object.values<unknown>(declared)
      .filter(isEndpoint)
      .map((call) => ({ tag: room, ...call, room })),
  )
  .sort((one, other) => tags.indexOf(one.tag) - tags.indexOf(other.tag) || (one.name < other.name ? -1 : 1))
