import { moneyInWords } from '#contract/money.ts'
import { isAsShown } from '#server/platform/as-shown.ts'
import { type Author, toActor } from '#server/platform/author.ts'
import { asUuid } from '#server/platform/database/ids.ts'
import { Overtaken, type Queryable, type Transaction } from '#server/platform/database/pool.ts'
import { sql } from '#server/platform/database/sql.ts'
import { countInWords } from '#server/platform/format-values.ts'
import { notFound, refusal } from '#server/platform/refusal.ts'
import type { Install } from '#server/platform/services.ts'
import type { AccountFacts } from '#server/program/access/account-facts.ts'
import { markReleasedEarly } from '#server/program/commissions/early-entries.ts'
import type { Watched } from '#server/program/dashboard/dashboard.ts'
import { decideCases, isOpenCase, releaseFromCases } from '#server/program/fraud/fraud-cases.ts'
import { leadNames } from '#server/program/leads/lead-facts.ts'
import { payHeldBy, voidPay } from '#server/program/leads/lead-pay.ts'
import { lockUnlessErased } from '#server/program/partner-directory/erased-partner.ts'
import { changePartner } from '#server/program/partners/change-partner.ts'
import { type Asking, sendQuestion } from '#server/program/questions/ask.ts'
import { emitReleasedSales, releaseSale, voidSale } from '#server/program/sales/change-sale.ts'
import { lockSales } from '#server/program/sales/sale-state.ts'
import type { CaseDecision, FraudCase } from '../contract.ts'
import {
  type CaseFacts,
  type CaseListQuery,
  caseById,
  casesPage,
  countOpenCases,
  readCase,
  salesHeldBy,
} from './queries.ts'

export const openCasesToDecide: Watched = {
  kind: 'open-cases',
  link: '/cases',
  inWords: (count) => `${countInWords(count, 'case')} of possible fraud to decide`,
  count: countOpenCases,
}

/** Open cases, about which their partners are asked. */
export const askedOfCases: Asking = { subject: 'case', table: sql`fraud_cases`, isOpen: isOpenCase }

/** Lists cases; open ones by default. */
export async function listCases(db: Queryable, account: AccountFacts, query: CaseListQuery) {
  const { items, totals, ...rest } = await casesPage(db, account.id, { ...query, state: query.state ?? ['open'] })
  return {
    ...rest,
    items: await withLeads(db, account, items),
    totals: { ...totals, currency: account.defaultCurrency },
  }
}

export async function getCase(db: Queryable, account: AccountFacts, id: string): Promise<FraudCase> {
  const row = await caseById(db, account.id, asUuid(id))
  if (!row) throw notFound()
  return (await withLeads(db, account, [row]))[0]!
}

async function withLeads(db: Queryable, account: AccountFacts, rows: Omit<FraudCase, 'leadName'>[]) {
  const reader = { as: 'owner', partnerId: null, account } as const
  const names = await leadNames(
    db,
    reader,
    rows.map(({ leadId }) => leadId),
  )
  return rows.map((row): FraudCase => ({ ...row, leadName: (row.leadId && names.get(row.leadId)) || null }))
}

type Acting = { account: AccountFacts; id: string; by: Author }

/**
 * Releases what a case holds and closes it. A sale that another open case holds too stays on hold.
 * Refuses: `invalid_state` once it was decided, or its hold has ended; `conflict` if it holds anything else than shown.
 */
export async function releaseCase(
  tx: Transaction,
  { account, id, by }: Acting,
  { reason, shown }: CaseDecision,
): Promise<void> {
  const before = await read(tx, account.id, id)
  refuseDecided(tx, before)
  if (before.saleId && before.heldUntil) {
    await lockSales(tx, account.id, [before.saleId])
    refuseDecided(tx, await lock(tx, account.id, id))
    await refuseUnlessShown(tx, account, id, shown)
    return releaseSale(tx, by, account, before.saleId, reason)
  }
  const held = (await salesHeldBy(tx, account.id, asUuid(id))).map((sale) => sale.id)
  await tx.run`select from sales where account_id = ${account.id} and id = any(${held}::uuid[]) order by id for no key update`
  await lockWhole(tx, { account, id }, held)
  await refuseUnlessShown(tx, account, id, shown)
  await decideCases(tx, by, account.id, sql`c.id = ${asUuid(id)}`, { decision: 'released', reason })
  await markReleasedEarly(tx, account.id, { caseIds: [asUuid(id)] }, toActor(by))
  await emitReleasedSales(tx, by, account.id, await releaseFromCases(tx, account.id, held), reason)
}

/** Most sales that one call voids. */
export const MOST_VOIDED = 50

/**
 * Voids the sale of a case, or the sales and the pay for leads that the case of a lead or partner holds, and closes it.
 * Refuses: `invalid_state` once it was decided, if its hold has ended, or if it holds too many sales; `conflict` if it
 * holds anything else than shown.
 */
export async function voidCase(
  tx: Transaction,
  { account, id, by }: Acting,
  { reason, shown }: CaseDecision,
): Promise<void> {
  const before = await read(tx, account.id, id)
  refuseDecided(tx, before)
  const held = before.saleId ? [{ id: before.saleId }] : await salesHeldBy(tx, account.id, asUuid(id), MOST_VOIDED + 1)
  if (held.length > MOST_VOIDED) throw refusal('case_holds_many_sales', { max: MOST_VOIDED })
  const ids = held.map((sale) => sale.id)
  const leadIds = (await payHeldBy(tx, account.id, asUuid(id))).map((lead) => lead.id)
  const states = await lockSales(tx, account.id, ids, leadIds)
  await lockWhole(tx, { account, id }, ids)
  const pay = await payHeldBy(tx, account.id, asUuid(id))
  if (pay.some((lead) => !leadIds.includes(lead.id)))
    throw new Overtaken('the case holds the pay of another lead by now')
  await refuseUnlessShown(tx, account, id, shown)
  await decideCases(tx, by, account.id, sql`c.id = ${asUuid(id)}`, { decision: 'voided', reason })
  await voidPay(tx, by, pay)
  for (const { sale } of states) if (sale.status !== 'void') await voidSale(tx, by, account, sale.id, reason)
}

/** Locks a case after the sales that it holds, as their own calls do. A booking may have added one in the meantime. */
async function lockWhole(tx: Transaction, { account, id }: Pick<Acting, 'account' | 'id'>, saleIds: string[]) {
  const { saleId, ...row } = await lock(tx, account.id, id)
  refuseDecided(tx, row)
  const held = saleId ? [] : await salesHeldBy(tx, account.id, asUuid(id))
  if (held.some((sale) => !saleIds.includes(sale.id))) throw new Overtaken('the case holds another sale by now')
}

/** Refuses if a locked case holds anything else than was shown. */
async function refuseUnlessShown(
  tx: Transaction,
  account: AccountFacts,
  id: string,
  shown: CaseDecision['shown'] = {},
) {
  const { heldSales, heldAmount, currency } = (await caseById(tx, account.id, asUuid(id)))!
  if (isAsShown(shown, { heldSales, heldAmount })) return
  throw refusal('case_changed', {
    sales: () => countInWords(heldSales, 'sale'),
    amount: () => moneyInWords(heldAmount, currency),
  })
}

/** Suspends the partner; what the case holds stays to be decided. Refuses: `invalid_state` as above. */
export async function suspendForCase(tx: Transaction, install: Install, { account, id, by }: Acting, reason: string) {
  const { partnerId } = await read(tx, account.id, id)
  const access = { as: 'owner', account, subjectId: partnerId, partnerId: null } as const
  await changePartner(tx, install, by, access, { state: 'suspended', reason })
  refuseDecided(tx, await lock(tx, account.id, id))
}

/** Mails the partner a question. Refuses: `invalid_state` for a second one. */
export async function requestPartnerAnswer(tx: Transaction, { account, id, by }: Acting, text: string): Promise<void> {
  const { partnerId } = await read(tx, account.id, id)
  await lockUnlessErased(tx, account.id, partnerId)
  const before = await lock(tx, account.id, id)
  refuseDecided(tx, before)
  if (before.question !== null) throw refusal('case_question_asked')
  await sendQuestion(tx, by, askedOfCases, { accountId: account.id, id: asUuid(id), partnerId }, text)
}

async function read(db: Queryable, accountId: string, id: string, options?: { lock: boolean }): Promise<CaseFacts> {
  const row = await readCase(db, accountId, asUuid(id), options)
  if (!row) throw notFound()
  return row
}

const lock = (tx: Transaction, accountId: string, id: string) => read(tx, accountId, id, { lock: true })

type Decidable = Pick<CaseFacts, 'heldUntil' | 'decidedAt' | 'decidedBy'>

const isOpen = ({ now }: Transaction, { heldUntil, decidedAt }: Decidable) =>
  decidedAt === null && (heldUntil === null || Date.parse(heldUntil) > now.getTime())

function refuseDecided(tx: Transaction, row: Decidable) {
  if (row.decidedAt !== null)
    throw row.decidedBy ? refusal('case_decided_by', { name: row.decidedBy }) : refusal('case_decided')
  if (!isOpen(tx, row)) throw refusal('case_expired')
}
