import * as features from '#features/index.contract.ts'
import * as books from './accounting.ts'
import * as accounts from './accounts.ts'
import * as activity from './activity.ts'
import * as agreement from './agreement.ts'
import * as joining from './applications.ts'
import * as auth from './auth.ts'
import * as balances from './balances.ts'
import * as bulkActions from './bulk-actions.ts'
import * as clicks from './clicks.ts'
import * as commissions from './commissions.ts'
import * as dashboard from './dashboard.ts'
import * as dataTransfer from './data-transfer.ts'
import type { Endpoint } from './endpoint.ts'
import * as fraud from './fraud.ts'
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
import * as questions from './questions.ts'
import * as sales from './sales.ts'
import * as secondFactor from './second-factor.ts'
import * as stats from './stats.ts'
import * as system from './system.ts'
import * as terms from './terms.ts'

/**
 * The groups of calls, one file each; payouts have five, sign-in three. A new group needs a line here and one in
 * `examples/index.ts`. Their names are public: `joining`, `material`, `cases`, `books` and `people` stay until 2.0.
 */
const rooms = {
  ...features,
  auth: { ...auth, ...members, ...secondFactor },
  accounts,
  activity,
  partners,
  groups,
  joining,
  agreement,
  links,
  clicks,
  leads,
  people,
  sales,
  fraud,
  questions,
  commissions,
  payouts: { ...payouts, ...payoutReconciliation, ...payoutSettings, ...payoutForm, ...balances },
  'payment-files': paymentFiles,
  'bulk-actions': bulkActions,
  books,
  invoices,
  terms,
  stats,
  dashboard,
  'payment-providers': paymentProviders,
  'outgoing-webhooks': outgoingWebhooks,
  'incoming-webhooks': incomingWebhooks,
  portal,
  mail,
  'data-transfer': dataTransfer,
  imports,
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
  'leads',
  'sales',
  'fraud',
  'commissions',
  'payouts',
  'payment-providers',
  'outgoing-webhooks',
  'incoming-webhooks',
  'imports',
  'bulk-actions',
  'mail',
  'system',
]

/** Returns the place of a group in the reference; that of a feature follows the group it names. */
function order(tag: string): number {
  const feature = Object.entries(features).findIndex(([name]) => name === tag)
  const after = (Object.values(features)[feature] as { listedAfter?: string } | undefined)?.listedAfter
  return after === undefined ? tags.indexOf(tag) : order(after) + (feature + 1) / 1000
}

/** Every declared call with the room that answers it, in the reference's order: for OpenAPI and the access test. */
export const endpoints: readonly (Endpoint & { room: string; tag: string })[] = Object.entries(rooms)
  .flatMap(([room, declared]) =>
    Object.values<unknown>(declared)
      .filter(isEndpoint)
      .map((call) => ({ tag: room, ...call, room })),
  )
  .sort((one, other) => order(one.tag) - order(other.tag) || (one.name < other.name ? -1 : 1))
