import { z } from 'zod'
import { ShownCase } from '#features/fraud-cases/contract.ts'
import { csvEndpoint, csvLimit } from './csv.ts'
import { apiLimit, endpoint, rights, type TeamRole } from './endpoint.ts'
import { LeadStatusChange, NewLeadNote } from './leads.ts'
import { PartnersMove } from './partners.ts'
import { paidPayoutShape } from './payouts.ts'
import { EarlierSales, LeadsReassignment, SalesAttribution } from './sales.ts'
import { TermsChange } from './terms.ts'
import { anyOf, Id, Instant, listQuery, optionalText, otherKind, pageSchema, Reasoned, RowError } from './values.ts'

/** Actions without a `change`. */
const plainKinds = [
  'invite-partners',
  'remind-partners',
  'suspend-partners',
  'activate-partners',
  'retry-payouts',
] as const

/**
 * Each applies a single call to many objects. `remind-partners` requests payout details, and invites again partners who
 * have not joined; `activate-partners` undoes `suspend-partners`.
 */
export const bulkActionKinds = [
  ...plainKinds,
  'move-partners',
  'change-partner-terms',
  'change-lead-status',
  'reassign-leads',
  'add-lead-note',
  'attribute-sales',
  'mark-payouts-paid',
  'release-cases',
  'void-cases',
] as const
export type BulkActionKind = (typeof bulkActionKinds)[number]

/** Roles of the team that may start and cancel an action. */
export const rightOfAction = {
  'invite-partners': rights.earn,
  'remind-partners': rights.earnOrPay,
  'suspend-partners': rights.earn,
  'activate-partners': rights.earn,
  'retry-payouts': rights.pay,
  'move-partners': rights.earn,
  'change-partner-terms': rights.earn,
  'change-lead-status': rights.earn,
  'reassign-leads': rights.earn,
  'add-lead-note': rights.earn,
  'attribute-sales': rights.earn,
  'mark-payouts-paid': rights.pay,
  'release-cases': rights.earn,
  'void-cases': rights.earn,
} as const satisfies Record<BulkActionKind, readonly TeamRole[]>

/** The things that an action changes. */
export const subjectsOfAction = {
  'invite-partners': 'partners',
  'remind-partners': 'partners',
  'suspend-partners': 'partners',
  'activate-partners': 'partners',
  'retry-payouts': 'payouts',
  'move-partners': 'partners',
  'change-partner-terms': 'partners',
  'change-lead-status': 'leads',
  'reassign-leads': 'leads',
  'add-lead-note': 'leads',
  'attribute-sales': 'sales',
  'mark-payouts-paid': 'payouts',
  'release-cases': 'cases',
  'void-cases': 'cases',
} as const satisfies Record<BulkActionKind, 'partners' | 'leads' | 'sales' | 'payouts' | 'cases'>

export const bulkActionStates = ['running', 'done', 'canceled'] as const

/** Most partners, leads, sales, payouts or cases of one action. */
export const MOST_IN_BULK = 1000
/** Most refusals that an action lists; its file has them all. */
export const MOST_REFUSALS = 100

/**
 * An action on many partners, leads, sales, payouts or cases, one after another in the background. Of `done`, `links` are invitations
 * whose link has to be passed on by hand, and `unsent` are mails not sent because this server has no mail server.
 * `refusals` are the first hundred of `refused`.
 */
export const BulkAction = z
  .object({
    id: Id,
    accountId: Id,
    action: z.enum(bulkActionKinds),
    state: z.enum(bulkActionStates),
    total: z.int(),
    done: z.int(),
    refused: z.int(),
    links: z.int(),
    unsent: z.int(),
    refusals: z.array(z.object({ id: Id, name: z.string().nullable(), error: RowError })),
    createdAt: Instant,
    finishedAt: Instant.nullable(),
  })
  .meta({ id: 'BulkAction' })
export type BulkAction = z.infer<typeof BulkAction>

const ids = z.array(Id).min(1, 'Choose at least one').max(MOST_IN_BULK, `Choose at most ${MOST_IN_BULK}`)

/** An action whose `change` is applied to each, judged as by the call for one. */
const changing = <Kind extends BulkActionKind, Change extends z.ZodType>(action: Kind, change: Change) =>
  z.strictObject({ action: z.literal(action), ids, change })

/** A payment outside: its reference, and its date, which defaults to now; `inFile` is as for one payout. */
const PayoutsPaid = z.strictObject({
  reference: paidPayoutShape.reference.unwrap(),
  paidAt: paidPayoutShape.paidAt,
  inFile: paidPayoutShape.inFile,
})

/** A payout's own reference and `inFile`, and its amounts as shown to the person, which aren't compared if left out. */
const MarkedPayout = z.strictObject({
  id: Id,
  reference: paidPayoutShape.reference,
  inFile: paidPayoutShape.inFile,
  amount: paidPayoutShape.amount,
  payAmount: paidPayoutShape.payAmount,
})

/** The earlier sales of a lead that credit no partner: their number and net amounts, in the account's currency. */
const LeadsEarlierSales = z.object({ id: Id, sales: EarlierSales.shape.sales }).meta({ id: 'LeadsEarlierSales' })

/** Returns the rule of a part of a body that names some of its `ids`. */
const amongIds = <Key extends string>(key: Key) =>
  [
    ({ ids, [key]: some = [] }: { ids: string[] } & { [K in Key]?: { id: string }[] | undefined }) =>
      new Set(ids).isSupersetOf(new Set(some.map(({ id }) => id))),
    { path: [key] as PropertyKey[], message: `Send only ${key} that are in ids` },
  ] as const

/** The sales and commission of each case, as shown to the person: a case that holds anything else by now is left as it is. */
const cases = z
  .array(z.strictObject({ id: Id, ...ShownCase.shape }))
  .max(MOST_IN_BULK, `Send at most ${MOST_IN_BULK}`)
  .optional()

export const NewBulkAction = z
  .discriminatedUnion(
    'action',
    [
      z.strictObject({
        action: z.enum(plainKinds),
        ids,
        /** The reason for a suspension. */
        reason: optionalText(500).default(null),
      }),
      changing('move-partners', PartnersMove.pick({ groupId: true, appliesTo: true })),
      changing('change-partner-terms', TermsChange.omit({ replaces: true })),
      changing('change-lead-status', LeadStatusChange),
      /** `leads`: those with earlier sales, as shown to the person; if sent, others may have none. */
      changing('reassign-leads', LeadsReassignment)
        .extend({
          leads: z
            .array(z.strictObject(LeadsEarlierSales.shape))
            .max(MOST_IN_BULK, `Send at most ${MOST_IN_BULK}`)
            .optional(),
        })
        .refine(...amongIds('leads')),
      changing('add-lead-note', NewLeadNote),
      /** `delaySeconds` before the first is released: canceled until then, the action has done nothing. */
      changing('release-cases', Reasoned)
        .extend({ cases, delaySeconds: z.int().min(0).max(60).optional() })
        .refine(...amongIds('cases')),
      changing('void-cases', Reasoned)
        .extend({ cases })
        .refine(...amongIds('cases')),
      /** `sales`: those credited to a lead of their own; the others are credited to the partner. */
      changing('attribute-sales', SalesAttribution)
        .extend({
          sales: z
            .array(z.strictObject({ id: Id, leadId: Id }))
            .max(MOST_IN_BULK, `Send at most ${MOST_IN_BULK}`)
            .optional(),
        })
        .refine(...amongIds('sales'))
        .refine(
          ({ ids, sales = [], change }) =>
            change.partnerId || new Set(ids).size <= new Set(sales.map(({ id }) => id)).size,
          {
            path: ['change', 'partnerId'],
            message: 'Choose a partner for the sales without a lead',
          },
        ),
      changing('mark-payouts-paid', PayoutsPaid)
        .extend({ payouts: z.array(MarkedPayout).max(MOST_IN_BULK, `Send at most ${MOST_IN_BULK}`).optional() })
        .refine(...amongIds('payouts')),
    ],
    otherKind(`Use ${bulkActionKinds.join(', ')}`),
  )
  .meta({ id: 'NewBulkAction' })
export type NewBulkAction = z.infer<typeof NewBulkAction>
/** An action as sent. */
export type GivenBulkAction = z.input<typeof NewBulkAction>

export const startBulkAction = endpoint('startBulkAction', 'POST /accounts/:id/bulk-actions', {
  summary: 'Do the same to many partners, leads, sales, payouts or cases, one after another in the background',
  allow: rights.earnOrPay,
  allowOf: ({ body: { action } }) => rightOfAction[action],
  limit: { name: 'bulk-action', perMinute: 20, by: 'user' },
  subject: 'account',
  body: NewBulkAction,
  // with five values for each payout
  maxValues: 7 * MOST_IN_BULK + 1000,
  maxBytes: 1_500_000,
  status: 202,
  reply: BulkAction,
})

export const previewEarlierSales = endpoint('previewEarlierSales', 'POST /accounts/:id/earlier-sales', {
  summary: 'Add up the earlier sales of many leads that credit no partner, as reassigning the leads can credit them',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'account',
  body: z.strictObject({ ids }),
  maxValues: MOST_IN_BULK + 10,
  reply: z
    .object({ leads: z.array(LeadsEarlierSales), sales: EarlierSales.shape.sales })
    .meta({ id: 'EarlierSalesOfLeads' }),
})

export const listBulkActions = endpoint('listBulkActions', 'GET /accounts/:id/bulk-actions', {
  summary: 'List the actions on many partners, leads, sales, payouts or cases of the last 30 days',
  allow: rights.read,
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  query: listQuery({ state: anyOf(bulkActionStates) }),
  reply: pageSchema(BulkAction),
})

export const downloadBulkActions = csvEndpoint(listBulkActions, {
  summary: 'Download all actions on many',
  file: 'bulk-actions',
})

const BulkActionParams = z.strictObject({ id: Id, bulkActionId: Id })

export const getBulkAction = endpoint('getBulkAction', 'GET /accounts/:id/bulk-actions/:bulkActionId', {
  summary: 'Retrieve the progress or result of an action on many',
  allow: rights.read,
  limit: apiLimit,
  subject: 'account',
  params: BulkActionParams,
  reply: BulkAction,
})

/** Columns of the file of refusals. */
export const refusalColumns = ['name', 'id', 'reason'] as const

export const downloadBulkActionRefusals = endpoint(
  'downloadBulkActionRefusals',
  'GET /accounts/:id/bulk-actions/:bulkActionId/refusals/csv',
  {
    summary: 'Download every refusal of an action on many, each with the name and the reason',
    allow: rights.read,
    limit: csvLimit,
    subject: 'account',
    params: BulkActionParams,
    produces: 'text/csv',
    reply: z.string(),
  },
)

export const cancelBulkAction = endpoint('cancelBulkAction', 'POST /accounts/:id/bulk-actions/:bulkActionId/cancel', {
  summary: 'Stop an action on many; what was done so far remains',
  allow: rights.earnOrPay,
  limit: apiLimit,
  subject: 'account',
  params: BulkActionParams,
  reply: BulkAction,
})
