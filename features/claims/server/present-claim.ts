import type { z } from 'zod'
import type { ListQuery } from '#contract/values.ts'
import type { Queryable } from '#server/platform/database/pool.ts'
import { sql } from '#server/platform/database/sql.ts'
import { containsFilter, dayFilter, idFilter, listPage, valueFilter } from '#server/platform/http/list.ts'
import { notFound } from '#server/platform/refusal.ts'
import { addDays, startOfDay } from '#server/platform/time/days.ts'
import type { AccountFacts } from '#server/program/access/account-facts.ts'
import { resolveClick } from '#server/program/clicks/attribution.ts'
import { leadNames } from '#server/program/leads/lead-facts.ts'
import { paidOn } from '#server/program/leads/payment-time.ts'
import { partnerNames } from '#server/program/partner-directory/partner-names.ts'
import type { Claim, ClaimCandidate, ClaimSnapshot, ClaimWithCandidates, listClaims as listCall } from '../contract.ts'
import {
  type CandidateLead,
  creditedAmong,
  leadsFor,
  namedByLead,
  namedBySale,
  type SaleFacts,
  salesFor,
  searchedDays,
} from './find-candidates.ts'
import { toOrderKey } from './order-key.ts'
import {
  claimById,
  claimsNaming,
  countClicks,
  type NamedClaim,
  namedColumns,
  type OwnClaim,
  ownClaimById,
  ownColumns,
} from './queries.ts'
import { type ClickFit, computeScore, type Fit, fitsOfLead, fitsOfSale, stateOfLead, stateOfSale } from './weigh.ts'

/** Returns claims as the account's team reads them. */
async function presentClaims(db: Queryable, account: AccountFacts, rows: NamedClaim[]): Promise<Claim[]> {
  const credited = await creditedAmong(
    db,
    account,
    rows.filter(({ state }) => state === 'open'),
  )
  const names = await leadNames(
    db,
    { as: 'owner', partnerId: null, account },
    rows.map(({ leadOfIt }) => leadOfIt),
  )
  return rows.map((row) => ({
    ...ofPartner(row),
    reason: row.reason,
    credited: credited.has(row.id),
    saleId: row.hasSale ? row.saleId : null,
    leadId: row.leadOfIt,
    leadName: (row.leadOfIt && names.get(row.leadOfIt)) ?? null,
    decidedBy: row.decider,
  }))
}

/** Returns a claim as its partner reads it: nothing that is looked up among customers or sales. */
const ofPartner = (row: OwnClaim): Claim => ({
  id: row.id,
  accountId: row.accountId,
  partnerId: row.partnerId,
  partnerName: row.partnerName,
  orderId: row.orderId,
  email: row.email,
  day: row.day,
  note: row.note,
  state: row.state,
  reason: row.state === 'refused' ? row.reason : null,
  credited: null,
  saleId: null,
  leadId: null,
  leadName: null,
  createdAt: row.createdAt,
  decidedAt: row.decidedAt,
  decidedBy: null,
  question: row.question,
  askedAt: row.askedAt,
  answer: row.answer,
  answeredAt: row.answeredAt,
})

async function rowOf(db: Queryable, accountId: string, id: string): Promise<NamedClaim> {
  const row = await claimById(db, accountId, id)
  if (!row) throw notFound()
  return row
}

export const claimForPartner = async (db: Queryable, accountId: string, id: string): Promise<Claim> =>
  ofPartner(await ownClaimById(db, accountId, id))

/** Returns a claim as events contain it. */
export async function claimForEvent(db: Queryable, account: AccountFacts, id: string): Promise<ClaimSnapshot> {
  const [claim] = await presentClaims(db, account, [await rowOf(db, account.id, id)])
  return claim!
}

type OwnersQuery = z.output<typeof listCall.query & object>

/** Lists the claims of an account. */
export async function listClaims(db: Queryable, account: AccountFacts, query: OwnersQuery) {
  const { state, partnerId, search, from, to } = query
  const { items, ...rest } = await listPage<NamedClaim>(db, query, {
    columns: namedColumns(account.id),
    from: sql`claims t`,
    scope: sql`t.account_id = ${account.id}`,
    filters: [
      valueFilter(sql`t.state`, state),
      idFilter(sql`t.partner_id`, partnerId),
      containsFilter(sql`concat_ws(' ', t.order_id, t.email)`, search),
      ...dayFilter(sql`t.created_at`, account.timeZone, from, to),
    ],
  })
  return { items: await presentClaims(db, account, items), ...rest }
}

/** Lists a partner's claims, as they or the team read them. */
export async function listPartnerClaims(
  db: Queryable,
  { as, account, subjectId }: { as: string; account: AccountFacts; subjectId: string },
  query: ListQuery & { state?: string[] | undefined },
) {
  const list = {
    from: sql`claims t`,
    scope: sql`t.account_id = ${account.id} and t.partner_id = ${subjectId}`,
    filters: [
      valueFilter(sql`t.state`, query.state),
      containsFilter(sql`concat_ws(' ', t.order_id, t.email)`, query.search),
    ],
  }
  if (as === 'partner') {
    const { items, ...rest } = await listPage<OwnClaim>(db, query, { ...list, columns: ownColumns(account.id) })
    return { items: items.map(ofPartner), ...rest }
  }
  const { items, ...rest } = await listPage<NamedClaim>(db, query, { ...list, columns: namedColumns(account.id) })
  return { items: await presentClaims(db, account, items), ...rest }
}

/** Returns a claim with the sales and leads that fit it. Refuses: `not_found`. */
export async function claimWithCandidates(
  db: Queryable,
  account: AccountFacts,
  id: string,
): Promise<ClaimWithCandidates> {
  const row = await rowOf(db, account.id, id)
  const [claim] = await presentClaims(db, account, [row])
  const days = searchedDays(row, account.timeZone)
  const sales = await salesFor(db, account, row, days)
  const leads = await leadsFor(db, account.id, row, days)
  const accepted = sales.find((sale) => sale.id === claim!.saleId)
  const clicks = await countClicks(db, account.id, row.partnerId, days)
  return {
    ...claim!,
    ...days,
    clicks,
    candidates: await presentCandidates(db, account, row, { sales, leads }),
    others: await claimsNaming(db, account.id, {
      except: id,
      keys: [row.orderId, accepted?.externalId].filter((value) => value != null).map(toOrderKey),
      emails: [row.email, accepted?.payerEmail, accepted?.leadEmail].filter((value) => value != null),
      saleId: row.saleId,
    }),
  }
}

async function presentCandidates(
  db: Queryable,
  account: AccountFacts,
  claim: NamedClaim,
  { sales, leads }: { sales: SaleFacts[]; leads: CandidateLead[] },
): Promise<ClaimCandidate[]> {
  const reader = { as: 'owner', partnerId: null, account } as const
  const names = await leadNames(db, reader, [...sales.map(({ leadId }) => leadId), ...leads.map(({ id }) => id)])
  const partners = await partnerNames(
    db,
    [account.id],
    [...sales, ...leads].map(({ partnerId }) => partnerId),
  )
  const weighed = (fits: Fit[]) => ({ fits, score: computeScore(account, fits) })
  const candidates: ClaimCandidate[] = []
  for (const sale of sales) {
    const at = paidOn(sale.day, account.timeZone, db.now).at
    candidates.push({
      kind: 'sale',
      id: sale.id,
      leadId: sale.leadId,
      day: sale.day,
      saleStatus: sale.status,
      leadStatus: null,
      amount: sale.amount,
      currency: sale.currency,
      name: (sale.leadId && names.get(sale.leadId)) || sale.payerEmail || sale.externalId || 'Customer unknown',
      ...named(partners, sale.partnerId),
      state: stateOfSale(account, claim.partnerId, sale),
      named: namedBySale(claim, sale),
      ...weighed(fitsOfSale(account, claim, sale, await clickOf(db, claim, sale.clickId, at))),
    })
  }
  for (const lead of leads) {
    const at = startOfDay(addDays(lead.day, 1), account.timeZone)
    candidates.push({
      kind: 'lead',
      id: lead.id,
      leadId: lead.id,
      day: lead.day,
      saleStatus: null,
      leadStatus: lead.status,
      amount: null,
      currency: null,
      name: names.get(lead.id)!,
      ...named(partners, lead.partnerId),
      state: stateOfLead(claim.partnerId, lead),
      named: namedByLead(claim, lead),
      ...weighed(fitsOfLead(account, claim, lead, await clickOf(db, claim, lead.clickId, at))),
    })
  }
  return candidates.sort(byFit)
}

const named = (names: ReadonlyMap<string, string>, partnerId: string | null) => ({
  partnerId,
  partnerName: (partnerId && names.get(partnerId)) || null,
})

/** Sales with what was named first, then by score; those that can be accepted first, then the latest. */
const byFit = (a: ClaimCandidate, b: ClaimCandidate) =>
  Number(b.named.length > 0) - Number(a.named.length > 0) ||
  b.score - a.score ||
  Number(b.state === 'ready') - Number(a.state === 'ready') ||
  Number(b.kind === 'sale') - Number(a.kind === 'sale') ||
  (a.day === b.day ? 0 : a.day < b.day ? 1 : -1)

async function clickOf(
  db: Queryable,
  { accountId, partnerId }: NamedClaim,
  clickId: string | null,
  at: Date,
): Promise<ClickFit> {
  const click = clickId ? await resolveClick(db, accountId, clickId, at) : undefined
  if (click?.partnerId !== partnerId) return null
  return click.withinWindow ? 'in-time' : 'expired'
}
