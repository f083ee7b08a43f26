import * as features from '#features/index.examples.ts'
import type { Endpoint, Subject } from '../endpoint.ts'
import type { Rooms } from '../index.ts'
import { mergeParts } from '../merge-parts.ts'
import type { RefusalReason } from '../refusals.ts'
import { books } from './accounting.ts'
import { accounts } from './accounts.ts'
import { activity } from './activity.ts'
import { agreementExamples } from './agreement.ts'
import { joining } from './applications.ts'
import { auth } from './auth.ts'
import { bulkActions } from './bulk-actions.ts'
import { clicks } from './clicks.ts'
import { commissions } from './commissions.ts'
import { dashboard } from './dashboard.ts'
import { dataTransfer } from './data-transfer.ts'
import type { ExampleOf, ExamplesOf } from './example.ts'
import { fraud } from './fraud.ts'
import { groups } from './groups.ts'
import { imports } from './imports.ts'
import { incomingWebhooks } from './incoming-webhooks.ts'
import { invoices } from './invoices.ts'
import { leads } from './leads.ts'
import { links } from './links.ts'
import { mails } from './mail.ts'
import { members } from './members.ts'
import { idBySubject } from './objects.ts'
import { outgoingWebhooks } from './outgoing-webhooks.ts'
import { partners } from './partners.ts'
import { paymentFiles } from './payment-files.ts'
import { paymentProviderExamples } from './payment-providers.ts'
import { payouts } from './payouts.ts'
import { portal } from './portal.ts'
import { people } from './privacy.ts'
import { questions } from './questions.ts'
import { sales } from './sales.ts'
import { secondFactor } from './second-factor.ts'
import { statsExamples } from './stats.ts'
import { system } from './system.ts'
import { terms } from './terms.ts'

const callsOfFeatures = Object.fromEntries(Object.entries(features).map(([room, { calls }]) => [room, calls])) as {
  [R in keyof typeof features]: (typeof features)[R]['calls']
}

/** The ids that examples have of each kind of object. */
export const idsOfSubjects: Record<Subject, string> = { ...idBySubject, ...mergeParts(features, 'subjectIds') }

/** Examples by room; a missing room or call does not compile. */
const rooms: { [R in keyof Rooms]: ExamplesOf<Rooms[R]> } = {
  ...callsOfFeatures,
  auth: { ...auth, ...members, ...secondFactor },
  accounts,
  activity,
  partners,
  groups,
  joining,
  agreement: agreementExamples,
  links,
  clicks,
  leads,
  people,
  sales,
  fraud,
  questions,
  commissions,
  payouts,
  'payment-files': paymentFiles,
  'bulk-actions': bulkActions,
  books,
  invoices,
  terms,
  stats: statsExamples,
  dashboard,
  'payment-providers': paymentProviderExamples,
  'outgoing-webhooks': outgoingWebhooks,
  'incoming-webhooks': incomingWebhooks,
  portal,
  mail: mails,
  'data-transfer': dataTransfer,
  imports,
  system,
}

/** An example without the types of its call. */
export type Example = {
  params: Record<string, string>
  query: Record<string, unknown>
  refused: readonly RefusalReason[]
  body?: unknown
  reply?: unknown
}

const byName: Record<string, Partial<ExampleOf<Endpoint>>> = Object.assign({}, ...Object.values(rooms))

/**
 * Returns a believable call and its answer for the reference; undefined for a call the contract does not declare. A
 * list's file uses the list's example and may be refused for more reasons.
 */
export function findExample(endpoint: Endpoint & { list?: Endpoint }): Example | undefined {
  const { name, subject, list } = endpoint
  if (list) return fileOf(findExample(list), byName[name]?.refused)
  const example = byName[name]
  if (!example) return undefined
  const params = {
    ...(subject && { id: idsOfSubjects[subject] }),
    ...(example.params as Record<string, string> | undefined),
  }
  const query = (example.query ?? {}) as Record<string, unknown>
  return { ...example, params, query, refused: example.refused ?? [] }
}

function fileOf(example: Example | undefined, refused: readonly RefusalReason[] = []): Example | undefined {
  if (!example) return undefined
  const { limit: _, cursor: __, ...query } = example.query
  return { params: example.params, query, refused: [...example.refused, ...refused] }
}
