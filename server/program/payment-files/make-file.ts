import { moneyInWords } from '#contract/money.ts'
import { paydayFrom } from '#contract/paydays.ts'
import {
  type createPaymentFile,
  type FilePreview,
  LEFT_OUT,
  MOST_IN_FILE,
  type NewPaymentFile,
  type PaymentFile,
} from '#contract/payment-files.ts'
import type { OrderedMethod } from '#contract/payout-settings.ts'
import type { ApprovalPreview, downloadPayouts, Payout } from '#contract/payouts.ts'
import { changesSince, countChanges, isAsShown } from '../../platform/as-shown.ts'
import { type Author, userAuthor } from '../../platform/author.ts'
import { asUuid } from '../../platform/database/ids.ts'
import {
  type Database,
  type Queryable,
  type Transaction,
  transaction,
  withRollback,
} from '../../platform/database/pool.ts'
import type { Secrets } from '../../platform/database/secrets.ts'
import { sql } from '../../platform/database/sql.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import { countInWords } from '../../platform/format-values.ts'
import { HttpReply } from '../../platform/http/reply.ts'
import { notFound, Refusal, refusal, rowError, wrongField } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import { addDays, dayIn } from '../../platform/time/days.ts'
import { targetDayFrom } from '../../platform/time/target-days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import type { Call } from '../access/route.ts'
import { partnerNameSql } from '../partner-directory/partner-names.ts'
import {
  approveIntoBatch,
  previewApproval,
  refuseBlockedPartner,
  refusePaused,
  sumPayouts,
} from '../payouts/approve.ts'
import { checkApproval } from '../payouts/check-approval.ts'
import { methodsOn } from '../payouts/chosen-method.ts'
import { findPayingProfile } from '../payouts/connections.ts'
import { openDetails, payoutDetailsPlace } from '../payouts/deposit-details.ts'
import { shareLimits } from '../payouts/limits.ts'
import { openMethod } from '../payouts/method-settings.ts'
import { type FilePayer, type Method, ProviderError } from '../payouts/methods/method.ts'
import {
  connecting,
  isApiMethod,
  type PaymentFileMethod,
  paymentFileMethods,
  refusalOfWrong,
} from '../payouts/methods/registry.ts'
import { duesByPartner } from '../payouts/partner-balances.ts'
import type { ActivePayout } from '../payouts/payout-attempts.ts'
import { lockAllForJudgement, wrongState } from '../payouts/payout-entries.ts'
import { getPayoutTerms } from '../payouts/payout-terms.ts'
import { listPayouts, readThese } from '../payouts/payouts.ts'
import { findPayoutsInFiles, isInFile } from '../payouts/payouts-in-files.ts'
import { ensureReconciled } from '../payouts/reconciliation/reconcile-transfers.ts'
import { carryFirst } from '../payouts/second-approval.ts'
import { endAsCanceled } from '../payouts/undo-approval.ts'
import { fileLines, toPayments, writeFileText, yearOfPayment } from './content.ts'
import { fileAnswer, saveFile } from './files.ts'
import { listPayees, markRejected, preparePayees, type Ready } from './payees.ts'

type Caller = Pick<Call<typeof createPaymentFile, Database>, 'services' | 'actor' | 'access' | 'by' | 'byProgram'>

/**
 * Makes a payment file of due payouts, which are approved by being in it, so that no other method pays them, and of
 * approved ones that wait for a file of this method. A payout in a file is never put in another one, since both may be
 * uploaded. One that another person must approve is left out and counted in a header.
 * Refuses: `forbidden` to programs; `invalid_state` if there is nothing to include, `second_person_needed` if another
 * person must approve all of it; `payout_changed` if it would hold anything else than was shown;
 * `recent_sign_in_required` above a ceiling; `validation_failed` for a method that is not set up.
 */
export async function makePaymentFile(
  caller: Caller,
  { method: name, ids, executionDate, preview, shown }: NewPaymentFile,
): Promise<HttpReply> {
  const { services, access, byProgram } = caller
  const { account } = access
  const { db } = services
  if (byProgram) throw refusal('batch_by_person')
  const method = paymentFileMethods.find((one) => one.name === name)
  if (!method) throw wrongField('method', 'method_not_on')
  const wished = wishedDayOf(db, account, method, executionDate)
  const day = wished && targetDayFrom(wished)
  const payer = await payerOf(services, account, method)
  const year = yearOfPayment(account, db.now, day)
  const chosen = await chooseThese(services, account, { method, year }, ids)
  if (preview) {
    const dates = { executionDate: day, movedFrom: day === wished ? null : wished }
    return new HttpReply(200, {
      ...(await previewFile(caller, { method, year }, chosen)),
      ...dates,
    } satisfies FilePreview)
  }
  await refuseUnlooked(services, account)
  const { made, leftOut } = await putIn(caller, { method, ...chosen, payer, executionDate: day, shown })
  return new HttpReply(201, made.file, leftOut > 0 ? { [LEFT_OUT]: String(leftOut) } : {})
}

/** Returns the account that this method's files debit; null if the provider determines it. */
async function payerOf(
  { db, secrets }: Services,
  account: AccountFacts,
  { name, file }: PaymentFileMethod,
): Promise<FilePayer | null> {
  if (file.payees) return null
  const payer = await openMethod<FilePayer>(db, secrets, account.id, name as OrderedMethod)
  if (!payer) throw wrongField('method', 'method_not_on')
  return payer
}

const FARTHEST_DAYS = 30

/**
 * Returns the day on or after which a bank is to execute the file: the next payday unless one is given. Null if it is
 * paid by hand at the provider.
 */
function wishedDayOf(db: Queryable, account: AccountFacts, { file }: PaymentFileMethod, given: string | undefined) {
  if (file.payees) {
    if (given !== undefined) throw wrongField('executionDate', 'execution_date_of_bank')
    return null
  }
  const today = dayIn(account.timeZone, db.now)
  const last = addDays(today, FARTHEST_DAYS)
  const payday = paydayFrom(account.paydays, today)
  if (given === undefined) return payday < last ? payday : last
  if (given < today || given > last) throw wrongField('executionDate', 'execution_date_wrong', { last })
  return given
}

type Waiting = Pick<Payout, 'id' | 'partnerId' | 'payAmount'>
/** Due payouts and approved ones to be put in a file; those that a person chose, but that are blocked or not paid by it. */
type Chosen = { due: Waiting[]; approved: string[]; open: string[]; excluded: ApprovalPreview['excluded'] }

/** A file to be made, and the year in which it is paid. */
type Into = { method: PaymentFileMethod; year: number }

/** Returns the payouts that may be put in a file of this method, of these or of all. */
async function chooseThese(
  services: Services,
  account: AccountFacts,
  { method, year }: Into,
  given: string[] | undefined,
): Promise<Chosen> {
  const { db } = services
  const ids = given?.map(asUuid)
  if (ids) await refuseUnknown(db, account, ids)
  const waiting = method.file.payees
    ? []
    : await db.many<{ id: string; payAmount: number }>`
        select o.id, o.pay_amount from payouts o
        where o.account_id = ${account.id} and o.status = 'approved' and o.method = ${method.name}
          and not ${isInFile(account.id)} and (${ids ?? null}::uuid[] is null or o.id = any(${ids ?? null}::uuid[]))
        order by o.statement_number limit ${MOST_IN_FILE}`
  const isTooLarge = ({ payAmount }: Pick<Payout, 'payAmount'>) =>
    payAmount > (method.file.most ?? Number.MAX_SAFE_INTEGER)
  const tooLarge = refusal('payout_too_large', { method: method.label })
  const approved = waiting.filter((payout) => !isTooLarge(payout)).map(({ id }) => id)
  const found: (Waiting & Pick<Payout, 'status'>)[] = ids
    ? await readThese(db, { ...(await getPayoutTerms(db, account)), year }, ids)
    : await choose(db, account, ALL, 'due', (payout) => payout.method === method.file.takes)
  const due = found.filter(({ id }) => !waiting.some((one) => one.id === id))
  const partnerIds = due.map(({ partnerId }) => partnerId)
  const payees = await listPayees(services, account, method, partnerIds)
  const reached = new Set(payees.map(({ partnerId }) => partnerId))
  const wrong = (payout: (typeof due)[number]) => {
    if (!['due', 'open'].includes(payout.status)) return wrongState(payout.status, 'payout_not_approvable')
    if (isTooLarge(payout)) return tooLarge
    return reached.has(payout.partnerId) ? undefined : refusal('details_out_of_reach', { method: method.label })
  }
  const unknown = ids?.filter((id) => !found.some((payout) => payout.id === id)) ?? []
  const excluded = [
    ...due.flatMap((payout) => {
      const error = wrong(payout)
      return error ? [{ id: payout.id, error: rowError(error) }] : []
    }),
    ...waiting.filter(isTooLarge).map(({ id }) => ({ id, error: rowError(tooLarge) })),
    ...unknown.map((id) => ({ id, error: rowError(notFound()) })),
  ]
  const fitting = due.filter((payout) => !wrong(payout))
  return {
    approved,
    excluded,
    due: fitting.filter(({ status }) => status === 'due').slice(0, MOST_IN_FILE - approved.length),
    open: fitting.flatMap(({ id, status }) => (status === 'open' ? [id] : [])),
  }
}

/** Refuses: `validation_failed` for an id that no payout of the account has. */
async function refuseUnknown(db: Queryable, account: AccountFacts, ids: string[]) {
  const known = await db.many<{ id: string }>`
    select id from payouts where account_id = ${account.id} and id = any(${ids}::uuid[])`
  const own = new Set(known.map(({ id }) => id))
  const at = ids.findIndex((id) => !own.has(id))
  if (at >= 0) throw wrongField(`ids.${at}`, 'unknown_payout_in_account')
}

async function previewFile({ services, actor, access }: Caller, into: Into, chosen: Chosen) {
  const { due, approved, open, excluded } = chosen
  return transaction(services.db, async (tx): Promise<ApprovalPreview> => {
    const { account } = access
    const those = [...due.map(({ id }) => id), ...open]
    const preview = await previewApproval(tx, actor, account, those, { into: into.method, year: into.year })
    const holding = (await stillWaiting(tx, services.secrets, account, into, approved)).map(({ id }) => id)
    const leftOut = approved.filter((id) => !holding.includes(id))
    return {
      ...preview,
      ...sumPayouts([...preview.payouts, ...(await asApproved(tx, account, holding))]),
      excluded: [...excluded, ...(await errorsOf(tx, account, into.year, leftOut)), ...preview.excluded],
    }
  })
}

/** Returns these approved payouts as a preview names them. */
const asApproved = (tx: Transaction, account: AccountFacts, ids: string[]) =>
  tx.many<ApprovalPreview['payouts'][number]>`
    select id, amount, pay_amount, details_version from payouts
    where account_id = ${account.id} and id = any(${ids}::uuid[]) order by statement_number`

/** Returns why these approved payouts are left out of a file: their approval no longer holds. */
async function errorsOf(
  tx: Transaction,
  account: AccountFacts,
  year: number,
  ids: string[],
): Promise<ApprovalPreview['excluded']> {
  if (ids.length === 0) return []
  const terms = { ...(await getPayoutTerms(tx, account)), year }
  const payouts = await tx.many<{ id: string; partnerId: string; partner: string }>`
    select o.id, o.partner_id, ${partnerNameSql(sql`n`)} as partner
    from payouts o join partners n on n.account_id = o.account_id and n.id = o.partner_id
    where o.account_id = ${account.id} and o.id = any(${ids}::uuid[]) order by o.statement_number`
  const excluded: ApprovalPreview['excluded'] = []
  for (const { id, partnerId, partner } of payouts) {
    let why = refusal('partner_payout_details_unreadable', { partner })
    try {
      await refuseBlockedPartner(tx, terms, partnerId)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      why = error
    }
    excluded.push({ id, error: rowError(why) })
  }
  return excluded
}

type Download = Call<typeof downloadPayouts, Database>
type Query = Download['query']
/** The filters and order of a list of payouts. */
type Asked = Omit<Query, 'columns' | 'format' | 'shownCount' | 'shownAmount'>

/** Returns the method whose file has this format; undefined for the plain list. */
export const filedBy = (format: Query['format']) => paymentFileMethods.find(({ file }) => file.format === format)

/**
 * Makes a file of the due payouts that the query chooses, and returns it. When asked for approved ones, it repeats the
 * contents of earlier files, as far as the approvals still hold. Refuses as `makePaymentFile`, by count and sum.
 */
export async function downloadBatch({ query, ...caller }: Download, method: PaymentFileMethod) {
  const { services, access, by, byProgram } = caller
  if (byProgram) throw refusal('batch_by_person')
  if (query.columns) throw wrongField('columns', 'batch_columns')
  const { db } = services
  const { account } = access
  await refuseUnlooked(services, account)
  const name = `${method.file.format}-${dayIn(account.timeZone, db.now)}`
  const { columns: _columns, format: _format, shownCount, shownAmount, ...selection } = query
  const recordDownload = (tx: Transaction) =>
    recordActivity(tx, by, account.id, 'list.downloaded', {
      id: account.id,
      changes: { list: { old: null, new: method.file.format } },
    })
  if (selection.status?.join() === 'approved') {
    const chosen = await choose(db, account, selection, 'approved')
    const text = await repeat(services, account, method, chosen, recordDownload)
    return fileAnswer(method.file, text, name)
  }
  const due = selection.status && !selection.status.includes('due') ? [] : await choose(db, account, selection, 'due')
  const sums = { count: shownCount, amount: shownAmount }
  const into = { method, payer: null, executionDate: null }
  const { made, leftOut } = await putIn(caller, { ...into, due, approved: [], sums, recordDownload })
  return fileAnswer(method.file, made.text, name, leftOut > 0 ? { [LEFT_OUT]: String(leftOut) } : {})
}

type RecordDownload = (tx: Transaction) => Promise<unknown>

/** Writes the payouts of earlier files of the profile once more. Refuses: `invalid_state` if there are none. */
async function repeat(
  { db, secrets }: Services,
  account: AccountFacts,
  method: PaymentFileMethod,
  chosen: Payout[],
  recordDownload: RecordDownload,
) {
  return transaction(db, async (tx) => {
    const profileId = await findPayingProfile(tx, account.id, connecting.name)
    if (profileId === null) throw refusalOfWrong(method.file.payees!.notConnected)
    const ids = chosen.filter((payout) => payout.method === method.name).map(({ id }) => id)
    const year = yearOfPayment(account, tx.now, null)
    const lines = (await fileLines(tx, account, ids, year)).filter(({ filed }) => filed.by === profileId)
    const payments = toPayments(secrets, account, lines)
    if (payments.length === 0) throw refusal('batch_empty')
    await recordDownload(tx)
    const head = { messageId: '', createdAt: '', executionDate: null, accountName: '', payer: null }
    return writeFileText(method.file, head, payments)
  })
}

/**
 * Refuses files from a database that may be an older copy, since the owner may upload them at any time; one that only a
 * provider can show is read from it first.
 * Refuses: `invalid_state` while payouts are paused; `provider_failed` while it is unknown whether they must be.
 */
async function refuseUnlooked(services: Services, account: AccountFacts) {
  const before = await getPayoutTerms(services.db, account)
  refusePaused(before)
  const method = methodsOn(before).find(isApiMethod)
  if (!method) return
  const unread = ({ label }: Method, said: string) => refusal('payouts_unread', { carrier: label, said })
  const isFirm = await ensureReconciled(services, account).catch((error: unknown) => {
    if (error instanceof ProviderError) throw unread(method, error.message)
    throw error
  })
  if (isFirm) return
  const terms = await getPayoutTerms(services.db, account)
  refusePaused(terms)
  const refusing = terms.ways.find(({ trouble }) => trouble !== null)
  throw unread(refusing?.method ?? method, refusing?.trouble ?? '')
}

const PAGE = 500
/** The filters of a file of everything. */
const ALL = { sort: 'createdAt' } as Asked

/** Returns the first payouts of the query in this state, as many as a file has at most. */
async function choose(
  db: Queryable,
  account: AccountFacts,
  selection: Asked,
  status: 'due' | 'approved',
  fits: (payout: Payout) => boolean = () => true,
): Promise<Payout[]> {
  const found: Payout[] = []
  let cursor: string | undefined
  do {
    const page = await listPayouts(
      db,
      account,
      { ...selection, status: [status], limit: PAGE, cursor, uncounted: true } as never,
      { reader: 'owner' },
    )
    found.push(...page.items.filter(fits))
    cursor = page.nextCursor ?? undefined
  } while (cursor && found.length < MOST_IN_FILE)
  return found.slice(0, MOST_IN_FILE)
}

type PutIn = Pick<Chosen, 'due' | 'approved'> & {
  method: PaymentFileMethod
  payer: FilePayer | null
  executionDate: string | null
  /** The file as shown to a person: its payouts, or their number and the sum to pay. */
  shown?: NewPaymentFile['shown']
  sums?: Partial<Pick<PaymentFile, 'count' | 'amount'>>
  recordDownload?: RecordDownload
}

/**
 * Has recipients created first, outside of a transaction, then approves in one the payouts whose payees are ready, and
 * stores their file. Refuses: `second_person_needed` if all of it lacks another person, `batch_empty` if there is nothing
 * else to include, `payout_changed` if it isn't what was shown; then nothing is changed.
 */
async function putIn(
  { services, actor, access, by }: Caller,
  { method, due, approved, payer, executionDate, shown, sums = {}, recordDownload }: PutIn,
) {
  const { db, secrets } = services
  const { account } = access
  const partnerIds = due.map(({ partnerId }) => partnerId)
  const payees = await listPayees(services, account, method, partnerIds)
  const { ready, rejected } = method.file.payees
    ? await preparePayees(services, account, method.file.payees, payees)
    : { ready: payees.map((payee): Ready => ({ ...payee, by: null, recipient: null })), rejected: [] }
  for (const { payee, words } of rejected) await markRejected(db, account.id, payee, words)
  const isUnready = ready.length + rejected.length < due.length
  if (isUnready && (shown || ready.length + approved.length === 0)) throw refusal('batch_not_ready')
  const byPartner = new Map(ready.map((one) => [one.partnerId, one]))
  const those = due.filter(({ partnerId }) => byPartner.has(partnerId)).map(({ id }) => id)
  return transaction(db, async (tx) => {
    await shareLimits(tx, account.id)
    const year = yearOfPayment(account, tx.now, executionDate)
    const approve = (some: string[]) =>
      approveIntoBatch(tx, services, actor, account, { method, year, ids: some, byPartner })
    const { ids, former } = method.file.reference
      ? { ids: those, former: new Map<string, string>() }
      : await underNewNumbers(tx, userAuthor(actor), account, those, approve)
    await lockAllForJudgement(tx, account.id, [...ids, ...approved])
    const now = await approve(ids)
    const payouts = [
      ...now.approved.map(({ id, partnerId }) => ({ id, recipient: byPartner.get(partnerId)!.recipient })),
      ...(await stillWaiting(tx, secrets, account, { method, year }, approved)),
    ]
    const leftOut = now.lacking
    // with this, numbers given above are taken back
    if (payouts.length === 0) throw refusal(leftOut > 0 ? 'second_person_needed' : 'batch_empty')
    if (shown) await refuseUnlessShown(tx, account, { shown, payouts, former })
    const profileId = ready[0]?.by ?? null
    const made = await saveFile(tx, secrets, by, account, { method, payouts, profileId, payer, executionDate })
    if (!isAsShown(sums, made.file)) {
      const { count, amount, currency } = made.file
      throw refusal('batch_changed', {
        count: () => countInWords(count, 'payout'),
        amount: () => moneyInWords(amount, currency),
      })
    }
    await recordDownload?.(tx)
    return { made, leftOut }
  })
}

type Reviewed = { shown: NonNullable<PutIn['shown']>; payouts: { id: string }[]; former: ReadonlyMap<string, string> }

/** Refuses a file of these approved payouts if they aren't what was shown, some of them under their former ids. */
async function refuseUnlessShown(tx: Transaction, account: AccountFacts, { shown, payouts, former }: Reviewed) {
  const ids = payouts.map(({ id }) => id)
  const now = await asApproved(tx, account, ids)
  const asNamed = now.map((payout) => ({ ...payout, id: former.get(payout.id) ?? payout.id }))
  const changes = changesSince(shown, asNamed)
  if (changes) throw refusal('payouts_changed', countChanges(changes), { details: changes })
}

/**
 * Returns those of these payouts, which are locked, that still wait for a file of this method, whose approval holds and
 * whose details can be opened.
 */
async function stillWaiting(
  tx: Transaction,
  secrets: Secrets,
  account: AccountFacts,
  { method, year }: Into,
  ids: string[],
): Promise<{ id: string; recipient: null }[]> {
  const waiting = await tx.many<
    Pick<ActivePayout, 'id' | 'partnerId' | 'detailsVersion' | 'stopReason'> & { sealed: Buffer }
  >`
    select o.id, o.partner_id, o.details_version, o.stop_reason, o.details_sealed as sealed from payouts o
    where o.account_id = ${account.id} and o.id = any(${ids}::uuid[]) and o.status = 'approved'
      and o.method = ${method.name} and o.details_sealed is not null and not ${isInFile(account.id)}
    order by o.id`
  const holding = []
  for (const { sealed, ...payout } of waiting)
    if (
      openDetails(secrets, sealed, payoutDetailsPlace(payout.id, account.id)) &&
      (await checkApproval(tx, account, payout, year)).isValid
    )
      holding.push({ id: payout.id, recipient: null })
  return holding
}

/**
 * Gives payouts from an earlier file a new number, unless they are left out of this one: the result of the earlier
 * file's transfer is reported under the earlier number and must not be taken for the new one's. Returns the payouts, and
 * the former id of each new one.
 */
async function underNewNumbers(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  ids: string[],
  approve: (ids: string[]) => Promise<{ approved: { id: string }[] }>,
): Promise<{ ids: string[]; former: Map<string, string> }> {
  const again = new Set((await findPayoutsInFiles(tx, account.id, ids)).map(({ payoutId }) => payoutId))
  if (again.size === 0) return { ids, former: new Map() }
  await lockAllForJudgement(tx, account.id, ids)
  const { approved } = await withRollback(tx, () => approve(ids))
  const leaving = new Set(approved.flatMap(({ id }) => (again.has(id) ? [id] : [])))
  const known = await tx.many<{ id: string; partnerId: string; due: number }>`
    select o.id, o.partner_id, x.due from payouts o join ${duesByPartner(account.id, tx.now)} x on x.partner_id = o.partner_id
    where o.account_id = ${account.id} and o.id = any(${[...leaving]}::uuid[]) and o.status = 'gathering' and x.due > 0`
  for (const { id, partnerId, due } of known) {
    await endAsCanceled(tx, by, account, id, due)
    await carryFirst(tx, account.id, id, partnerId)
  }
  const next = await tx.many<{ id: string; partnerId: string }>`
    select id, partner_id from payouts
    where account_id = ${account.id} and status = 'gathering' and partner_id = any(${known.map((one) => one.partnerId)}::uuid[])`
  const before = new Map(known.map(({ id, partnerId }) => [partnerId, id]))
  return {
    ids: [...ids.filter((id) => !leaving.has(id)), ...next.map(({ id }) => id)],
    former: new Map(next.map(({ id, partnerId }) => [id, before.get(partnerId)!])),
  }
}
