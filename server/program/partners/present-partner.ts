import type { Partner } from '#contract/partners.ts'
import { fromPpm } from '../commissions/rates.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import type { AccountFacts } from '../access/access.ts'
import { dueOf } from '../payouts/balances.ts'
import { notFound } from '../../platform/refusal.ts'
import { partnerStatsOf, type Reader } from '../stats/read.ts'
import { dayIn } from '../../platform/time/days.ts'
import { displayName, fullName, maskedEmail } from '../names/partner-names.ts'
import { type PartnerRow, partnerById } from './queries.ts'

/** The owner's whole view. */
export const asOwner: Reader = { as: 'owner', partnerId: null }

/** One partner as this reader may see it. Refuses: `not_found`. */
export async function presentPartner(
  db: Queryable,
  account: AccountFacts,
  id: string,
  reader: Reader,
): Promise<Partner> {
  const row = await partnerById(db, account.id, id)
  if (!row) throw notFound()
  const [partner] = await presentPartners(db, account, [row], reader)
  return partner!
}

/** Partners in their order, each as this reader may see it: whole to the owner, else himself, else reduced. */
export async function presentPartners(
  db: Queryable,
  account: AccountFacts,
  rows: PartnerRow[],
  reader: Reader,
): Promise<Partner[]> {
  const ids = rows.map((row) => row.id)
  const withBalance = reader.partnerId ? ids.filter((id) => id === reader.partnerId) : ids
  const [stats, due] = await Promise.all([partnerStatsOf(db, account, ids, reader), dueOf(db, account.id, withBalance)])
  const year = currentYear(account, db.now)
  return rows.map((row): Partner => {
    const whole: Partner = {
      id: row.id,
      accountId: row.accountId,
      parentPartnerId: row.parentPartnerId,
      firstName: row.firstName,
      lastName: row.lastName,
      displayName: displayName(row),
      email: row.email,
      referralCode: row.referralCode,
      commissionSettings: row.layerRatesPpm && fromPpm(row.layerRatesPpm),
      effectiveCommissionSettings: fromPpm(row.layerRatesPpm ?? account.layerRatesPpm),
      approvedPayoutYears: row.approvedPayoutYears,
      approvedForPayouts: row.approvedPayoutYears.includes(year),
      state: row.state,
      invitationStatus: row.invitationStatus,
      balanceDue: due.get(row.id) ?? 0,
      taxForm: row.taxForm,
      stats: stats.get(row.id)!,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
    }
    if (!reader.partnerId) return whole
    if (reader.partnerId === row.id) return { ...whole, taxForm: null }
    return reduced(whole, row, reader.partnerId)
  })
}

/** The calendar year in the account's time zone, which payouts are approved for. */
export const currentYear = (account: Pick<AccountFacts, 'timeZone'>, now: Date) =>
  Number(dayIn(account.timeZone, now).slice(0, 4))

/** Of a descendant: no rates, approval, balance or tax form; the e-mail masked but while the reader may still correct it. */
function reduced(partner: Partner, row: PartnerRow, readerId: string): Partner {
  const email = mayCorrect(row, readerId) ? row.email : maskedEmail(row.email)
  return {
    ...partner,
    displayName: fullName(row) || email.split('@')[0]!,
    email,
    commissionSettings: null,
    effectiveCommissionSettings: null,
    approvedPayoutYears: null,
    approvedForPayouts: null,
    balanceDue: null,
    taxForm: null,
  }
}

/** Whether this partner invited the row himself and nobody has accepted yet. */
export const mayCorrect = (row: Pick<PartnerRow, 'invitedByPartnerId' | 'accepted'>, readerId: string) =>
  row.invitedByPartnerId === readerId && !row.accepted
