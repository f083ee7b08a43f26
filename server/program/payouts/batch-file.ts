import { Readable } from 'node:stream'
import { type downloadPayouts, MOST_IN_BATCH, type Payout } from '#contract/payouts.ts'
import { type By, byUser } from '../../platform/author.ts'
import { csvLines } from '../../platform/csv/csv.ts'
import { type Database, type Queryable, type Transaction, transaction } from '../../platform/database/pool.ts'
import { recorded } from '../../platform/events/happened.ts'
import { HttpAnswer } from '../../platform/http/answer.ts'
import { refusal, wrongField } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import { dayIn } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import type { Call } from '../access/route.ts'
import { judge } from './approval-holds.ts'
import { approveIntoBatch, refusePaused } from './approve.ts'
import { lockAllForJudgement } from './binding.ts'
import { openDetails, payoutDetailsPlace, settingsPlace } from './deposit-details.ts'
import { type Batch, type Method, type Payee, ProviderError } from './methods/method.ts'
import { givenOf, methods } from './methods/registry.ts'
import { duesByPartner } from './partner-balances.ts'
import type { UnderWay } from './payout-attempts.ts'
import { termsOf } from './payout-terms.ts'
import { listPayouts } from './payouts.ts'
import { makeFirm } from './reconciliation/agreement.ts'
import { endAsCanceled } from './undo-approval.ts'

type Download = Call<typeof downloadPayouts, Database>
type Query = Download['query']
type Batched = Method & { batch: Batch }

/** Returns the method whose file has this format; undefined for the plain list. */
export const batchedBy = (format: Query['format']) =>
  methods.find((method): method is Batched => method.batch !== undefined && method.batch.format === format)

/**
 * Returns a file of payouts that a person uploads elsewhere. A new one contains the due payouts that the query chooses,
 * approved by being in it, so that no other method pays them; payouts already in a file are never in another new one,
 * since both may be uploaded. When asked for approved ones, it repeats the contents of earlier files, as far as the
 * approvals still hold.
 * Refuses: `forbidden` to programs; `invalid_state` if there is nothing to include; `recent_sign_in_required` above a
 * ceiling.
 */
export async function downloadBatch({ services, actor, access, by, reader, query }: Download, method: Batched) {
  if (reader.as !== 'owner') throw refusal('batch_by_person')
  if (query.columns) throw wrongField('columns', 'batch_columns')
  const { db } = services
  const { account } = access
  await refuseUnlooked(services, account)
  const isAgain = query.status?.join() === 'approved'
  const chosen = await choose(db, account, query, isAgain)
  const ids = isAgain
    ? chosen.filter((payout) => payout.method === method.name).map(({ id }) => id)
    : await putIn(services, actor, account, { method, chosen })
  const rows = await transaction(db, async (tx) => {
    const payouts = await stillApproved(tx, services, account, ids)
    const rows = await method.batch.rowsOf(tx, account, payouts)
    if (rows.length > 0)
      await recorded(tx, by, account.id, 'list.downloaded', {
        id: account.id,
        changes: { list: { old: null, new: method.batch.format } },
      })
    return rows
  })
  if (rows.length === 0) throw refusal('batch_empty')
  const header = method.batch.header.map((name) => ({ plain: name }))
  // no byte order mark: this file's reader would treat it as part of the first column's name
  return new HttpAnswer(200, Readable.from([csvLines([header, ...rows])], { objectMode: false }), {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${method.batch.format}-${dayIn(account.timeZone, db.now)}.csv"`,
  })
}

/**
 * Refuses files from a database that may be an older copy, since the owner may upload them at any time.
 * Refuses: `invalid_state` while payouts are paused; `provider_failed` while it is unknown whether they must be.
 */
async function refuseUnlooked(services: Services, account: AccountFacts) {
  const { method } = await termsOf(services.db, account)
  const { carrier } = method
  if (!carrier) return
  const unread = (said: string) => refusal('payouts_unread', { carrier: carrier.label, said })
  const isFirm = await makeFirm(services, account, method).catch((error: unknown) => {
    if (error instanceof ProviderError) throw unread(error.message)
    throw error
  })
  if (isFirm) return
  const terms = await termsOf(services.db, account)
  refusePaused(terms)
  throw unread(terms.trouble ?? '')
}

const PAGE = 500

/** Returns the first payouts of the query that may be included, or were. */
async function choose(db: Queryable, account: AccountFacts, query: Query, isAgain: boolean): Promise<Payout[]> {
  const { columns: _columns, format: _format, ...asked } = query
  if (asked.status && !isAgain && !asked.status.includes('due')) return []
  const found: Payout[] = []
  let cursor: string | undefined
  do {
    const page = await listPayouts(
      db,
      account,
      { ...asked, status: [isAgain ? 'approved' : 'due'], limit: PAGE, cursor, uncounted: true } as never,
      { reader: 'owner' },
    )
    found.push(...page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor && found.length < MOST_IN_BATCH)
  return found.slice(0, MOST_IN_BATCH)
}

type PutIn = { method: Batched; chosen: Payout[] }

/**
 * Has recipients created first, outside of a transaction, then approves in one the payouts whose recipients are ready.
 */
async function putIn(services: Services, actor: Download['actor'], account: AccountFacts, { method, chosen }: PutIn) {
  const { db } = services
  const { ready, rejected } = await method.batch.prepare(services, account, await payeesOf(services, account, chosen))
  for (const { payee, words } of rejected) await noteRejected(db, payee, words)
  if (ready.length === 0 && rejected.length < chosen.length) throw refusal('batch_not_ready')
  const byPartner = new Map(ready.map((one) => [one.partnerId, one]))
  const those = chosen.filter(({ partnerId }) => byPartner.has(partnerId)).map(({ id }) => id)
  return transaction(db, async (tx) => {
    const ids = await underNewNumbers(tx, byUser(actor), account, those)
    const approved = await approveIntoBatch(tx, services, actor, account, { method, ids, byPartner })
    for (const { id, partnerId } of approved) await method.batch.keep(tx, id, byPartner.get(partnerId)!)
    return approved.map(({ id }) => id)
  })
}

/**
 * Gives payouts from an earlier file a new number: the result of the earlier file's transfer is reported under the
 * earlier number and must not be taken for the new one's.
 */
async function underNewNumbers(tx: Transaction, by: By, account: AccountFacts, ids: string[]): Promise<string[]> {
  const again = new Map((await givenOf(tx, ids)).map((given) => [given.payoutId, given]))
  if (again.size === 0) return ids
  await lockAllForJudgement(tx, account.id, ids)
  const known = await tx.many<{ id: string; partnerId: string; due: number }>`
    select o.id, o.partner_id, x.due from payouts o join ${duesByPartner(account.id, tx.now)} x on x.partner_id = o.partner_id
    where o.account_id = ${account.id} and o.id = any(${[...again.keys()]}::uuid[]) and o.status = 'gathering' and x.due > 0`
  for (const { id, due } of known) await endAsCanceled(tx, by, account, id, due)
  const next = await tx.many<{ id: string }>`
    select id from payouts
    where account_id = ${account.id} and status = 'gathering' and partner_id = any(${known.map((one) => one.partnerId)}::uuid[])`
  return [...ids.filter((id) => !again.has(id)), ...next.map(({ id }) => id)]
}

async function payeesOf({ db, secrets }: Services, account: AccountFacts, payouts: Payout[]): Promise<Payee[]> {
  const partnerIds = payouts.map(({ partnerId }) => partnerId)
  const rows = await db.many<{ partnerId: string; detailsVersion: string; sealed: Buffer }>`
    select partner_id, version as details_version, details_sealed as sealed from payout_settings
    where partner_id = any(${partnerIds}::uuid[]) and account_id = ${account.id} and details_sealed is not null`
  return rows.flatMap(({ partnerId, detailsVersion, sealed }) => {
    const details = openDetails(secrets, sealed, settingsPlace(partnerId, account.id))
    return details ? [{ partnerId, detailsVersion, details }] : []
  })
}

const noteRejected = (db: Queryable, { partnerId, detailsVersion }: Payee, words: string) => db.run`
  update payout_settings set rejected_reason = ${words} where partner_id = ${partnerId} and version = ${detailsVersion}`

/** Returns payouts whose approval still holds, in the order of their numbers. */
async function stillApproved(
  tx: Transaction,
  { secrets }: Pick<Services, 'secrets'>,
  account: AccountFacts,
  ids: string[],
) {
  const payouts = await tx.many<UnderWay & { sealed: Buffer }>`
    select id, partner_id, status, amount, statement_number, details_version, stop_reason, details_sealed as sealed
    from payouts where id = any(${ids}::uuid[]) and status = 'approved' order by statement_number`
  const holding = []
  for (const payout of payouts) {
    const details = openDetails(secrets, payout.sealed, payoutDetailsPlace(payout.id, account.id))
    if (details && (await judge(tx, account, payout)).holds) holding.push({ ...payout, details })
  }
  return holding
}
