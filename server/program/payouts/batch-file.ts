import { Readable } from 'node:stream'
import { detailKinds } from '#contract/payout-details.ts'
import type { PayoutDetails } from '#contract/payout-settings.ts'
import { type downloadPayouts, LEFT_OUT, MOST_IN_BATCH, type Payout } from '#contract/payouts.ts'
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
import { methodsOn } from './chosen-method.ts'
import { openConnection, profileOf } from './connections.ts'
import { openDetails, payoutDetailsPlace, settingsPlace, shownOf } from './deposit-details.ts'
import { shareLimits } from './limits.ts'
import { type Cell, ProviderError } from './methods/method.ts'
import { duesByPartner } from './partner-balances.ts'
import { filedOf, keepInFile, keepRecipient, knownRecipients } from './payees.ts'
import type { UnderWay } from './payout-attempts.ts'
import { payoutName } from './payout-number.ts'
import { payoutTermsOf } from './payout-terms.ts'
import { listPayouts } from './payouts.ts'
import { makeFirm } from './reconciliation/agreement.ts'
import { carryFirst } from './second-approval.ts'
import { endAsCanceled } from './undo-approval.ts'
import { type Batched, batched, isCarrying, paysKind, refusalOf } from './ways.ts'

type Download = Call<typeof downloadPayouts, Database>
type Query = Download['query']

/** Returns the method whose file has this format; undefined for the plain list. */
export const batchedBy = (format: Query['format']) => (format === batched.batch.format ? batched : undefined)

/**
 * Returns a file of payouts that a person uploads elsewhere. A new one contains the due payouts that the query chooses,
 * approved by being in it, so that no other method pays them; payouts already in a file are never in another new one,
 * since both may be uploaded. One that another person must approve is left out and counted in a header. When asked for
 * approved ones, it repeats the contents of earlier files, as far as the approvals still hold.
 * Refuses: `forbidden` to programs; `invalid_state` if there is nothing to include, `second_person_needed` if another
 * person must approve all of it; `recent_sign_in_required` above a ceiling.
 */
export async function downloadBatch({ services, actor, access, by, byProgram, query }: Download, method: Batched) {
  if (byProgram) throw refusal('batch_by_person')
  if (query.columns) throw wrongField('columns', 'batch_columns')
  const { db } = services
  const { account } = access
  await refuseUnlooked(services, account)
  const isAgain = query.status?.join() === 'approved'
  const chosen = await choose(db, account, query, isAgain)
  const { ids, leftOut } = isAgain
    ? { ids: chosen.filter((payout) => payout.method === method.name).map(({ id }) => id), leftOut: 0 }
    : await putIn(services, actor, account, { method, chosen })
  const rows = await transaction(db, async (tx) => {
    const rows = await rowsOf(tx, services, account, { method, ids })
    if (rows.length > 0)
      await recorded(tx, by, account.id, 'list.downloaded', {
        id: account.id,
        changes: { list: { old: null, new: method.batch.format } },
      })
    return rows
  })
  if (rows.length === 0) throw refusal(leftOut > 0 ? 'second_person_needed' : 'batch_empty')
  const header = Object.keys(rows[0]!).map((name) => ({ plain: name }))
  // no byte order mark: this file's reader would treat it as part of the first column's name
  return new HttpAnswer(
    200,
    Readable.from([csvLines([header, ...rows.map((row) => Object.values(row))])], { objectMode: false }),
    {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${method.batch.format}-${dayIn(account.timeZone, db.now)}.csv"`,
      ...(leftOut > 0 && { [LEFT_OUT]: String(leftOut) }),
    },
  )
}

/**
 * Refuses files from a database that may be an older copy, since the owner may upload them at any time.
 * Refuses: `invalid_state` while payouts are paused; `provider_failed` while it is unknown whether they must be.
 */
async function refuseUnlooked(services: Services, account: AccountFacts) {
  const method = methodsOn(await payoutTermsOf(services.db, account)).find(isCarrying)
  if (!method) return
  const unread = (said: string) => refusal('payouts_unread', { carrier: method.label, said })
  const isFirm = await makeFirm(services, account, method).catch((error: unknown) => {
    if (error instanceof ProviderError) throw unread(error.message)
    throw error
  })
  if (isFirm) return
  const terms = await payoutTermsOf(services.db, account)
  refusePaused(terms)
  throw unread(terms.ways.find((way) => way.method === method)?.trouble ?? '')
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
  const { ready, rejected } = await prepare(services, account, method, await payeesOf(services, account, chosen))
  for (const { payee, words } of rejected) await noteRejected(db, account.id, payee, words)
  if (ready.length === 0 && rejected.length < chosen.length) throw refusal('batch_not_ready')
  const byPartner = new Map(ready.map((one) => [one.partnerId, one]))
  const those = chosen.filter(({ partnerId }) => byPartner.has(partnerId)).map(({ id }) => id)
  return transaction(db, async (tx) => {
    await shareLimits(tx, account.id)
    const ids = await underNewNumbers(tx, byUser(actor), account, those)
    const { approved, lacking } = await approveIntoBatch(tx, services, actor, account, { method, ids, byPartner })
    for (const { id, partnerId } of approved) await keepInFile(tx, account.id, id, byPartner.get(partnerId)!)
    return { ids: approved.map(({ id }) => id), leftOut: lacking }
  })
}

/**
 * Gives payouts from an earlier file a new number: the result of the earlier file's transfer is reported under the
 * earlier number and must not be taken for the new one's.
 */
async function underNewNumbers(tx: Transaction, by: By, account: AccountFacts, ids: string[]): Promise<string[]> {
  const again = new Set((await filedOf(tx, account.id, ids)).map(({ payoutId }) => payoutId))
  if (again.size === 0) return ids
  await lockAllForJudgement(tx, account.id, ids)
  const known = await tx.many<{ id: string; partnerId: string; due: number }>`
    select o.id, o.partner_id, x.due from payouts o join ${duesByPartner(account.id, tx.now)} x on x.partner_id = o.partner_id
    where o.account_id = ${account.id} and o.id = any(${[...again]}::uuid[]) and o.status = 'gathering' and x.due > 0`
  for (const { id, partnerId, due } of known) {
    await endAsCanceled(tx, by, account, id, due)
    await carryFirst(tx, account.id, id, partnerId)
  }
  const next = await tx.many<{ id: string }>`
    select id from payouts
    where account_id = ${account.id} and status = 'gathering' and partner_id = any(${known.map((one) => one.partnerId)}::uuid[])`
  return [...ids.filter((id) => !again.has(id)), ...next.map(({ id }) => id)]
}

/** A partner with the details of their account at the bank. */
type Payee = { partnerId: string; detailsVersion: string; details: PayoutDetails }
/** A payee's recipient at the provider, of the profile `by`. */
type Ready = Omit<Payee, 'details'> & { by: string; recipient: string }

const AT_ONCE = 8
const CALL_MS = 5000
/** Milliseconds for creating recipients; the rest is for the next file. */
const PATIENCE_MS = 20_000

/**
 * Prepares a recipient for each payee, created at the provider if there is none; a payee without an answer is in neither
 * list. Refuses: `invalid_state` without a token and a profile; `provider_failed` if the token is rejected.
 */
async function prepare(services: Services, account: AccountFacts, { batch }: Batched, payees: Payee[]) {
  const { db } = services
  const connection = await openConnection(services, account.id, () => CALL_MS)
  if (!connection?.profileId) throw refusalOf(batch.notConnected)
  const { api, profileId } = connection
  const known = new Map(
    (await knownRecipients(db, account.id, profileId, payees)).map((one) => [one.partnerId, one.recipient]),
  )
  const ready: Ready[] = []
  const rejected: { payee: Payee; words: string }[] = []
  const until = Date.now() + PATIENCE_MS
  const make = async ({ details }: Payee) => {
    if (Date.now() >= until) return null
    try {
      return await batch.makePayee(api, profileId, details)
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      if (error.kind === 'unknown') return null
      throw refusalOf(batch.denied(error))
    }
  }
  const next = payees.values()
  const makeOn = async () => {
    for (const payee of next) {
      const { partnerId, detailsVersion } = payee
      const found = known.get(partnerId)
      const made = found === undefined ? await make(payee) : { recipient: found }
      if (made === null) continue
      if ('refused' in made) {
        rejected.push({ payee, words: made.refused })
        continue
      }
      if (found === undefined) await keepRecipient(db, account.id, profileId, payee, made.recipient)
      ready.push({ partnerId, detailsVersion, by: profileId, ...made })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, makeOn))
  return { ready, rejected }
}

async function payeesOf({ db, secrets }: Services, account: AccountFacts, payouts: Payout[]): Promise<Payee[]> {
  const partnerIds = payouts.map(({ partnerId }) => partnerId)
  const rows = await db.many<{ partnerId: string; detailsVersion: string; sealed: Buffer }>`
    select partner_id, version as details_version, details_sealed as sealed from payout_settings
    where partner_id = any(${partnerIds}::uuid[]) and account_id = ${account.id} and details_sealed is not null
      and kind = any(${detailKinds.filter((kind) => paysKind(batched, kind))}::text[])`
  return rows.flatMap(({ partnerId, detailsVersion, sealed }) => {
    const details = openDetails(secrets, sealed, settingsPlace(partnerId, account.id))
    return details ? [{ partnerId, detailsVersion, details }] : []
  })
}

const noteRejected = (db: Queryable, accountId: string, { partnerId, detailsVersion }: Payee, words: string) => db.run`
  update payout_settings set rejected_reason = ${words}
  where account_id = ${accountId} and partner_id = ${partnerId} and version = ${detailsVersion}`

/**
 * Returns the rows of payouts whose approval still holds, in the order of their numbers, without those that another
 * profile's file was for.
 */
async function rowsOf(
  tx: Transaction,
  { secrets }: Pick<Services, 'secrets'>,
  account: AccountFacts,
  { method: { batch }, ids }: { method: Batched; ids: string[] },
): Promise<Record<string, Cell>[]> {
  const payouts = await tx.many<UnderWay & { sealed: Buffer }>`
    select id, partner_id, status, amount, pay_amount, statement_number, details_version, stop_reason, details_sealed as sealed
    from payouts
    where account_id = ${account.id} and id = any(${ids}::uuid[]) and status = 'approved' order by statement_number`
  const profileId = await profileOf(tx, account.id)
  if (profileId === null) throw refusalOf(batch.notConnected)
  const filed = (await filedOf(tx, account.id, ids)).filter(({ by }) => by === profileId)
  const recipients = new Map(filed.map(({ payoutId, recipient }) => [payoutId, recipient]))
  const rows = []
  for (const payout of payouts) {
    const details = openDetails(secrets, payout.sealed, payoutDetailsPlace(payout.id, account.id))
    const recipient = recipients.get(payout.id)
    if (!details || recipient === undefined || !(await judge(tx, account, payout)).holds) continue
    const { payAmount: amount } = payout
    rows.push(
      batch.row({
        reference: payoutName(payout),
        amount,
        currency: account.defaultCurrency,
        recipient,
        details,
        payee: shownOf(details),
      }),
    )
  }
  return rows
}
