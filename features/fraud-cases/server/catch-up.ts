import type { FraudRule } from '#contract/fraud.ts'
import { system } from '#server/platform/author.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { sql } from '#server/platform/database/sql.ts'
import type { AccountFacts } from '#server/program/access/account-facts.ts'
import { eachNight } from '#server/program/access/each-night.ts'
import { decideCases, isOpenCase, newCase, openCases } from '#server/program/fraud/fraud-cases.ts'

// Servers of the release before hold, release and void sales without knowing their cases.

/** Whether a rule found something in sale `s` that waits for a decision and has no case; as its index is declared. */
const hasNoCase = (now: Date) => sql`(
  s.hold_rule is not null and s.hold_policy <> 'refuse' and s.fraud_case_id is null and s.status <> 'void'
  and s.partner_id is not null and (s.hold_policy = 'flag' or s.held_until > ${now}))`

/** Whether sale `s` was voided or released, and its open case `c` wasn’t. */
const isLeftOpen = (now: Date) => sql`(
  c.sale_id is not null and ${isOpenCase(now)} and (s.status = 'void' or (c.held_until is not null and s.held_until is null)))`

/** Opens and closes cases in the night after their sales were held, released or voided without them. */
export const catchUpByNight = eachNight(
  'catch-up-cases',
  2,
  async (tx, account) => {
    await openMissing(tx, account)
    await closeLeft(tx, account)
  },
  (now) => sql`a.id in (
    select s.account_id from sales s where ${hasNoCase(now)}
    union
    select c.account_id from fraud_cases c join sales s on s.account_id = c.account_id and s.id = c.sale_id
    where ${isLeftOpen(now)})`,
)

async function openMissing(tx: Transaction, { id: accountId }: AccountFacts) {
  const sales = await tx.many<{
    id: string
    partnerId: string
    rule: string
    reason: string
    policy: 'flag' | 'hold'
    heldUntil: string | null
  }>`
    select s.id, s.partner_id, s.hold_rule as rule, s.hold_reason as reason, s.hold_policy as policy, s.held_until
    from sales s where s.account_id = ${accountId} and ${hasNoCase(tx.now)} order by s.id for no key update`
  const cases = sales.map(({ id: saleId, partnerId, rule, reason, policy, heldUntil }) => ({
    ...newCase(tx, {
      accountId,
      saleId,
      partnerId,
      action: policy,
      findings: [{ rule: rule as FraudRule, evidence: reason, partnerId: null }],
    }),
    heldUntil,
  }))
  await openCases(tx, cases)
  await tx.run`
    update sales s set fraud_case_id = n.id
    from unnest(${cases.map(({ saleId }) => saleId)}::uuid[], ${cases.map(({ id }) => id)}::uuid[]) as n (sale_id, id)
    where s.account_id = ${accountId} and s.id = n.sale_id`
}

async function closeLeft(tx: Transaction, { id: accountId }: AccountFacts) {
  // sales are locked before their cases, as by their own calls
  const left = await tx.many<{ id: string; isVoid: boolean }>`
    select c.id, s.status = 'void' as is_void
    from fraud_cases c join sales s on s.account_id = ${accountId} and s.id = c.sale_id
    where c.account_id = ${accountId} and ${isLeftOpen(tx.now)} order by s.id for no key update of s`
  const close = (isVoid: boolean, how: { decision: 'released' | 'voided'; reason: string }) => {
    const ids = left.filter((one) => one.isVoid === isVoid).map(({ id }) => id)
    return decideCases(tx, system, accountId, sql`c.id = any(${ids}::uuid[])`, how)
  }
  await close(true, { decision: 'voided', reason: 'Voided with its sale.' })
  await close(false, { decision: 'released', reason: 'Released with its sale.' })
}
