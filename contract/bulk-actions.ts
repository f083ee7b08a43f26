import { z } from 'zod'
import { csvOf } from './csv.ts'
import { apiLimit, endpoint, rights, type TeamRole } from './endpoint.ts'
import { anyOf, Id, Instant, listOf, listQuery, optionalText, RowError } from './values.ts'

/**
 * Each does to many what a call does to one. `remind-partners` asks for payout details, and invites again
 * those who have not joined; `activate-partners` undoes `suspend-partners`.
 */
export const bulkActionKinds = [
  'invite-partners',
  'remind-partners',
  'suspend-partners',
  'activate-partners',
  'retry-payouts',
] as const
export type BulkActionKind = (typeof bulkActionKinds)[number]

/** Roles of the team that may start and cancel an action. */
export const rightOfAction = {
  'invite-partners': rights.earn,
  'remind-partners': rights.earnOrPay,
  'suspend-partners': rights.earn,
  'activate-partners': rights.earn,
  'retry-payouts': rights.pay,
} as const satisfies Record<BulkActionKind, readonly TeamRole[]>

export const bulkActionStates = ['running', 'done', 'canceled'] as const

/** Most partners or payouts of one action. */
export const MOST_IN_BULK = 1000
/** Most refusals that an action tells one by one. */
export const MOST_REFUSALS = 100

/**
 * An action on many partners or payouts, taken one after another in the background. Of `done`, `links` are invitations
 * whose link is to be passed on by hand, and `unsent` mails that were not sent because this server sends none.
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

const mostInBulk = `Choose at most ${MOST_IN_BULK}`

export const NewBulkAction = z
  .strictObject({
    action: z.enum(bulkActionKinds, `Use ${bulkActionKinds.join(', ')}`),
    ids: z.array(Id).min(1, 'Choose at least one').max(MOST_IN_BULK, mostInBulk),
    /** Of a suspension. */
    reason: optionalText(500).default(null),
  })
  .meta({ id: 'NewBulkAction' })
export type NewBulkAction = z.infer<typeof NewBulkAction>

export const startBulkAction = endpoint('startBulkAction', 'POST /accounts/:id/bulk-actions', {
  summary: 'Do the same to many partners or payouts, one after another in the background',
  allow: rights.earnOrPay,
  allowOf: ({ body: { action } }) => rightOfAction[action],
  limit: { name: 'bulk-action', perMinute: 20, by: 'user' },
  subject: 'account',
  body: NewBulkAction,
  maxValues: MOST_IN_BULK + 10,
  status: 202,
  reply: BulkAction,
})

export const listBulkActions = endpoint('listBulkActions', 'GET /accounts/:id/bulk-actions', {
  summary: 'List the actions on many partners or payouts of the last 30 days',
  allow: rights.read,
  limit: apiLimit,
  fromReplica: true,
  subject: 'account',
  query: listQuery({ state: anyOf(bulkActionStates) }),
  reply: listOf(BulkAction),
})

export const downloadBulkActions = csvOf(listBulkActions, {
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

export const cancelBulkAction = endpoint('cancelBulkAction', 'POST /accounts/:id/bulk-actions/:bulkActionId/cancel', {
  summary: 'Stop an action on many; what was done so far remains',
  allow: rights.earnOrPay,
  limit: apiLimit,
  subject: 'account',
  params: BulkActionParams,
  reply: BulkAction,
})
