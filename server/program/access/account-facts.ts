import type { Queryable } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'

/** The account fields that calls on it need. */
export type AccountFacts = {
  id: string
  name: string | null
  defaultCurrency: string
  layerRatesPpm: number[]
  timeZone: string
  payoutDelay: number
  minimumPayout: number
  leadProtectionDays: number
  attributionModel: 'last-touch' | 'first-touch'
  partnerVisibility: { leadNames: boolean; leadEmails: boolean; saleAmounts: boolean }
  partnerLeadSubmission: boolean
  invitationsFromPartners: boolean
  recurringMonths: number | null
  selfReferralPolicy: 'allow' | 'flag' | 'hold' | 'refuse'
  disabledAt: string | null
}

/** Columns of {@link AccountFacts}, from accounts `a`. */
export const accountFacts = sql`a.id, a.name, a.default_currency, a.layer_rates_ppm, a.time_zone, a.payout_delay, a.minimum_payout,
  a.lead_protection_days, a.attribution_model, a.partner_visibility, a.partner_lead_submission,
  a.invitations_from_partners, a.recurring_months, a.self_referral_policy, a.disabled_at`

/** Returns these accounts by id without locking them: they may change at any time. */
export async function factsOf(db: Queryable, ids: string[]): Promise<Map<string, AccountFacts>> {
  const rows = await db.many<AccountFacts>`
    select ${accountFacts} from accounts a where a.id = any(${[...new Set(ids)]}::uuid[])`
  return new Map(rows.map((row) => [row.id, row]))
}
