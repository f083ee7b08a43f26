import type { Partner } from '#contract/partners.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { notFound } from '../../platform/refusal.ts'
import { dayIn } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { displayName, fullName, maskedEmail } from '../partner-directory/partner-names.ts'
import { getDueAmounts } from '../payouts/balances.ts'
import { type FiguresReader, getPartnerStats } from '../stats/read.ts'
import { fromPpm } from '../terms/rates.ts'
import { type PartnerRow, partnerById } from './queries.ts'

/** The owner's unrestricted view. */
export const asOwner: FiguresReader = { as: 'owner', partnerId: null }

/** Returns one partner as this reader may see it. Refuses: `not_found`. */
export async function presentPartner(
  db: Queryable,
  account: AccountFacts,
  id: string,
  reader: FiguresReader,
): Promise<Partner> {
  const row = await partnerById(db, account.id, id)
  if (!row) throw notFound()
  const [partner] = await presentPartners(db, account, [row], reader)
  return partner!
}

/**
 * Returns partners in the given order, with the figures and e-mails this reader may see; `contract/readers.ts` lists
 * the fields.
 */
export async function presentPartners(
  db: Queryable,
  account: AccountFacts,
  rows: PartnerRow[],
  reader: FiguresReader,
): Promise<Partner[]> {
  const ids = rows.map((row) => row.id)
  const withBalance = reader.partnerId ? ids.filter((id) => id === reader.partnerId) : ids
  const [stats, due] = await Promise.all([
    getPartnerStats(db, account, ids, reader),
    getDueAmounts(db, account.id, withBalance),
  ])
  const year = currentYear(account, db.now)
  return rows.map((row): Partner => {
    const whole: Partner = {
      ...row,
      email: row.erasedAt ? null : row.email,
      displayName: displayName(row),
      commissionSettings: row.layerRatesPpm && fromPpm(row.layerRatesPpm),
      effectiveCommissionSettings: fromPpm(row.layerRatesPpm ?? row.groupRatesPpm ?? account.layerRatesPpm),
      groupId: row.groupId ?? row.accountId,
      approvedForPayouts: row.approvedPayoutYears.includes(year),
      balanceDue: due.get(row.id) ?? 0,
      taxForm: shownForm(row),
      stats: stats.get(row.id)!,
    }
    return reader.partnerId && reader.partnerId !== row.id ? masked(whole, row, reader.partnerId) : whole
  })
}

/** Returns the form on file; what an owner recorded has no number here. */
function shownForm({ taxForm, tinLast4 }: PartnerRow): Partner['taxForm'] {
  if (!taxForm) return null
  const { kind, receivedOn, source = 'owner' } = taxForm
  return { kind, receivedOn, source, tinLast4: source === 'partner' ? tinLast4 : null }
}

/** The current calendar year in the account's time zone; payouts are approved per year. */
export const currentYear = (account: Pick<AccountFacts, 'timeZone'>, now: Date) =>
  Number(dayIn(account.timeZone, now).slice(0, 4))

/** Masks a descendant's e-mail unless the reader may still correct it. */
function masked(partner: Partner, row: PartnerRow, readerId: string): Partner {
  if (row.erasedAt) return partner
  const email = mayCorrect(row, readerId) ? row.email : maskedEmail(row.email)
  return { ...partner, displayName: fullName(row) || email.split('@')[0]!, email }
}

/** Whether this partner sent the row's invitation and it is not accepted yet. */
export const mayCorrect = (row: Pick<PartnerRow, 'invitedByPartnerId' | 'accepted'>, readerId: string) =>
  row.invitedByPartnerId === readerId && !row.accepted
