import { type Changes, type PublicEvent, publicEvents, type RecordedEvent } from '#contract/events.ts'
import { type Author, system } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { joinSql, type Sql, sql } from '../../platform/database/sql.ts'
import { emitEvents, recordActivities } from '../../platform/events/emit-event.ts'
import { notFound } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { adjustBalance } from '../commissions/adjustments.ts'
import { emitEntryEvents } from '../commissions/emit-entry-events.ts'
import { entryReasons } from '../commissions/text.ts'
import { adjustKeptVoid, returnedToVoidedBalance, voidReasons } from '../commissions/voided.ts'
import { recordCashBack, recordCashOut } from './cash-ledger.ts'
import { attachEntries, detachEntries, type StoredStatus } from './payout-entries.ts'
import { payoutsForEvents } from './payouts.ts'
import { removeFromFiles } from './payouts-in-files.ts'

type TransitionEvent = Extract<PublicEvent | RecordedEvent, `payout.${string}`>

type Rule = {
  from: readonly StoredStatus[]
  to: StoredStatus
  by: readonly Author['type'][]
  /** The event: public, or for the account only. */
  event: TransitionEvent
  /** Its entries are due again. */
  releasesEntries?: true
}

/** The states before any money has left, from which a payout can be undone. */
const beforeMoney = ['approved', 'processing', 'awaiting-funding', 'failed'] as const

/**
 * All state changes of a payout: docs/payout-states.md shows them as a diagram. `gathering` is shown as open or due.
 */
export const transitions = {
  approve: { from: ['gathering'], to: 'approved', by: ['user', 'system'], event: 'payout.approved' },
  start: { from: ['approved'], to: 'processing', by: ['system'], event: 'payout.processing' },
  requeue: {
    from: ['processing', 'awaiting-funding'],
    to: 'approved',
    by: ['system'],
    event: 'payout.stepped-back',
  },
  retry: { from: ['failed'], to: 'approved', by: ['user'], event: 'payout.retried' },
  wait: { from: ['processing'], to: 'awaiting-funding', by: ['system'], event: 'payout.awaiting-funding' },
  resume: {
    from: ['awaiting-funding', 'sent', 'paid', 'returned'],
    to: 'processing',
    by: ['system'],
    event: 'payout.processing',
  },
  send: { from: ['processing', 'awaiting-funding', 'returned'], to: 'sent', by: ['system'], event: 'payout.sent' },
  'confirm-paid': { from: ['sent'], to: 'paid', by: ['system'], event: 'payout.paid' },
  'mark-paid': {
    // canceled: removed from a batch file that was paid nevertheless; under way: a person found out that it was paid
    from: ['gathering', 'approved', 'processing', 'awaiting-funding', 'failed', 'canceled'],
    to: 'paid',
    by: ['user', 'api-key'],
    event: 'payout.paid',
  },
  fail: { from: ['processing', 'awaiting-funding'], to: 'failed', by: ['system'], event: 'payout.failed' },
  return: {
    from: ['processing', 'awaiting-funding', 'sent', 'paid'],
    to: 'returned',
    by: ['system', 'user'],
    event: 'payout.returned',
  },
  reopen: {
    from: beforeMoney,
    to: 'gathering',
    by: ['system', 'user'],
    event: 'payout.set-back',
    releasesEntries: true,
  },
  merge: {
    from: ['gathering', ...beforeMoney],
    to: 'canceled',
    by: ['system', 'user'],
    event: 'payout.set-back',
    releasesEntries: true,
  },
  cancel: {
    from: ['gathering', ...beforeMoney],
    to: 'canceled',
    by: ['user', 'system'],
    event: 'payout.canceled',
    releasesEntries: true,
  },
  // only for one entered from a file: no money moved here
  'undo-import': { from: ['paid'], to: 'canceled', by: ['user'], event: 'payout.taken-back', releasesEntries: true },
  // for one whose transfer was requested before this database was restored from an older copy
  recover: { from: ['gathering', 'canceled'], to: 'processing', by: ['user'], event: 'payout.recovered' },
} as const satisfies Record<string, Rule>

export type Transition = keyof typeof transitions

type How = {
  by?: Author
  /** Shown on the payout in its new state, and stored with the event. */
  reason?: string | null
  /** Stored only with the event and the audit. */
  because?: string
  /** Columns set by this transition in addition to the usual ones. */
  set?: Sql
}

type Particulars = {
  /** Entries to bind. */
  entries?: string[]
  changes?: Record<string, { old: unknown; new: unknown }>
}

/** Changes the state of one payout, like `transitionPayouts`. */
export const transitionPayout = (
  tx: Transaction,
  account: AccountFacts,
  id: string,
  name: Transition,
  { entries, changes, ...how }: How & Particulars = {},
) => transitionPayouts(tx, account, [{ id, ...(entries && { entries }), ...(changes && { changes }) }], name, how)

/**
 * Changes the state of payouts: their rows, the entries they bind or release, the audit and the public events, all in
 * the caller's transaction and with one statement each. A transition that is not allowed in a payout's state is a bug
 * of the caller, who has locked and read the payouts. `from` is a table `v` by payout id, to which `set` refers.
 */
export async function transitionPayouts(
  tx: Transaction,
  account: AccountFacts,
  payouts: (Particulars & { id: string })[],
  name: Transition,
  { from, ...how }: How & { from?: Sql } = {},
) {
  const rule: Rule = transitions[name]
  const { by = system, reason = null, because = reason, set } = how
  const ids = payouts.map(({ id }) => id)
  const rows = await tx.many<{ id: string; status: StoredStatus; partnerId: string; isErased: boolean }>`
    select id, status, partner_id, exists (select from partners n where n.account_id = ${account.id} and n.id = o.partner_id
      and n.erased_at is not null) as is_erased
    from payouts o where account_id = ${account.id} and id = any(${ids}::uuid[]) order by id for update of o`
  for (const { id, status } of rows)
    if (!rule.from.includes(status) || !rule.by.includes(by.type))
      throw new Error(`${by.type} cannot ${name} payout ${id}, which is ${status}`)
  if (rule.releasesEntries) await abandonAttempts(tx, account.id, ids)
  const columns = [...always(name, tx.now), ...(set ? [set] : [])]
  await tx.run`
    update payouts o
    set ${joinSql(columns, ', ')}, status = ${rule.to}, failure_reason = ${reason}, updated_at = ${tx.now}
    ${from ? sql`from ${from} where v.id = o.id and` : sql`where`} o.account_id = ${account.id} and o.id = any(${ids}::uuid[])`
  const bound = payouts.flatMap(({ id, entries = [] }) => entries.map((entryId) => ({ payoutId: id, entryId })))
  if (bound.length > 0) await attachEntries(tx, account.id, bound)
  if (rule.to === 'paid' || rule.releasesEntries) await removeFromFiles(tx, account.id, ids)
  if (rule.to === 'sent' || rule.to === 'paid')
    await recordCashOut(tx, account.id, ids, { byProvider: rule.to === 'sent' })
  if (rule.releasesEntries) for (const { id, partnerId } of rows) await releaseEntries(tx, account, id, partnerId)
  const changesOf = new Map(payouts.map(({ id, changes }) => [id, changes]))
  const payoutChanges = rows.map(({ id, status, isErased }) => ({
    id,
    changes: {
      status: { old: shown(status), new: shown(rule.to) },
      // it may name the person
      ...(because && !isErased && { reason: { old: null, new: because } }),
      ...changesOf.get(id),
    },
  }))
  await emitTransition(tx, by, account, rule.event, payoutChanges)
  if (rule.to === 'paid') await emitPaidEntries(tx, by, account, ids)
}

async function emitTransition(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  type: TransitionEvent,
  payoutChanges: { id: string; changes: Changes }[],
) {
  const { id: accountId } = account
  if (!isPublic(type))
    return recordActivities(
      tx,
      by,
      accountId,
      payoutChanges.map((one) => ({ type, ...one })),
    )
  const ids = payoutChanges.map(({ id }) => id)
  const objects = new Map((await payoutsForEvents(tx, account, ids)).map((payout) => [payout.id, payout]))
  // nothing is sent for an unapproved one whose amount is gone
  if (objects.size < ids.length) throw notFound()
  await emitEvents(
    tx,
    payoutChanges.map((one) => ({ by, accountId, type, object: objects.get(one.id)!, ...one })),
  )
}

const isPublic = (type: TransitionEvent): type is Extract<PublicEvent, TransitionEvent> => type in publicEvents

const shown = (status: StoredStatus) => (status === 'gathering' ? 'due' : status)

/**
 * Returns columns that a transition always sets besides the state. A request to stop lasts until it is fulfilled or the money
 * has left.
 */
function always(name: Transition, now: Date): Sql[] {
  switch (name) {
    case 'approve':
      return [sql`paid_on = null, was_void = false`]
    case 'retry':
    case 'wait':
      return [sql`paid_on = null`]
    case 'mark-paid':
      return [sql`stop_reason = null, sent_at = null`]
    case 'send':
      // `paid_on` is derived from it unless a better date is known
      return [sql`sent_at = ${now}, stop_reason = null, paid_at = null`]
    case 'confirm-paid':
      return [sql`paid_at = ${now}`]
    case 'reopen':
      return [
        sql`amount = null, tax_amount = 0, invoice_terms = null, method = null, reward = null, period_start = null, period_end = null, details_sealed = null,
          details_version = null, approved_by = null, approved_at = null, stop_reason = null, fund_again = false, sent_at = null, paid_on = null`,
      ]
    case 'recover':
      return [sql`stop_reason = null, fund_again = false, paid_at = null, was_void = false`]
    default:
      return [sql`stop_reason = null, fund_again = false, paid_at = null, paid_on = null`]
  }
}

/** Stores the reason of the payout's state, shown on it. */
export async function setReason(tx: Transaction, accountId: string, payoutId: string, words: string) {
  await tx.run`
    update payouts set failure_reason = ${words}, updated_at = ${tx.now}
    where account_id = ${accountId} and id = ${payoutId} and failure_reason is distinct from ${words}`
}

/** Ends attempts that have not requested a transfer with their approval; the database refuses this for any other. */
const abandonAttempts = (tx: Transaction, accountId: string, payoutIds: string[]) => tx.run`
  update payout_attempts set state = 'abandoned', stage = 'over', updated_at = ${tx.now}
  where account_id = ${accountId} and payout_id = any(${payoutIds}::uuid[]) and stage = 'prepared'`

/**
 * Frees the entries, as the money is back or never left. Those of a partner with a voided balance stay void, as do those
 * of one that was paid after all.
 */
export async function releaseEntries(tx: Transaction, account: AccountFacts, payoutId: string, partnerId: string) {
  const payout = { id: payoutId, partnerId }
  const voided = (await voidedPart(tx, account.id, payout)) ?? (await voidAgain(tx, account.id, payout))
  await recordCashBack(tx, account.id, payoutId)
  await detachEntries(tx, account.id, payoutId)
  if (voided && voided.amount !== 0)
    await adjustBalance(tx, system, account, partnerId, { ...voided, amount: -voided.amount })
}

/** Returns the part of a payout that is void if its entries are free, with the reason; null if the balance is not. */
export async function voidedPart(tx: Transaction, accountId: string, payout: { id: string; partnerId: string }) {
  const reason = (await voidReasons(tx, accountId, [payout.partnerId])).get(payout.partnerId)
  return reason === undefined ? null : { reason, amount: await returnedToVoidedBalance(tx, accountId, payout) }
}

/** Returns the part of a payout that was void before it was paid after all, and is void again; null if it was not. */
async function voidAgain(tx: Transaction, accountId: string, { id, partnerId }: { id: string; partnerId: string }) {
  const { ids, sum } = await tx.one<{ ids: string[] | null; sum: number }>`
    select array_agg(e.id::text) as ids, coalesce(sum(e.amount), 0)::bigint as sum
    from payouts o join payout_entries b on b.account_id = o.account_id and b.payout_id = o.id and b.live
      join commission_entries e on e.account_id = b.account_id and e.id = b.entry_id
    where o.account_id = ${accountId} and o.id = ${id} and o.was_void`
  if (!ids) return null
  const owed = await adjustKeptVoid(tx, { accountId, partnerId, entryIds: ids, isBack: true })
  return { reason: entryReasons.partOfVoid, amount: sum + owed }
}

/** Sends an event for every entry that these payouts have paid. */
async function emitPaidEntries(tx: Transaction, by: Author, account: AccountFacts, payoutIds: string[]) {
  const entries = await tx.many<{ id: string }>`
    select entry_id as id from payout_entries
    where account_id = ${account.id} and payout_id = any(${payoutIds}::uuid[]) and live`
  await emitEntryEvents(
    tx,
    entries.map(({ id }) => ({ by, accountId: account.id, type: 'commission.paid', id })),
  )
}
