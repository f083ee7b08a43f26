import * as accounts from './accounts.ts'
import * as auth from './auth.ts'
import * as commissions from './commissions.ts'
import * as embed from './embed.ts'
import type { Endpoint } from './endpoint.ts'
import * as leads from './leads.ts'
import * as links from './links.ts'
import * as partners from './partners.ts'
import * as paymentProviders from './payment-providers.ts'
import * as payouts from './payouts.ts'
import * as push from './push.ts'
import * as sales from './sales.ts'
import * as users from './users.ts'

/** The features in the order the documentation shows them. A new one is a line here. */
const features = {
  auth,
  users,
  accounts,
  partners,
  links,
  leads,
  sales,
  commissions,
  payouts,
  'payment-providers': paymentProviders,
  push,
  embed,
}

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'allow' in value

/** Every declared call with the feature it belongs to: for OpenAPI and the access test. */
export const endpoints: readonly (Endpoint & { feature: string })[] = Object.entries(features).flatMap(
  ([feature, declared]) =>
    Object.values<unknown>(declared)
      .filter(isEndpoint)
      .map((call) => ({ ...call, feature })),
)
