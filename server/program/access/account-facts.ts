import type { PartnerVisibility } from '#contract/accounts.ts'
import type { FraudRules } from '#contract/fraud.ts'
import type { Paydays } from '#contract/paydays.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { c, type RowOf, table } from '../../platform/database/table.ts'

/**
 * The parts of leads that partners see. `asFriends`: a customer sees that friends exist and what they earned by them,
 * whatever the account shows partners.
 */
type Visibility = PartnerVisibility & { asFriends?: true }

export const visibleToCustomers: Visibility = {
  leadNames: false,
  leadEmails: false,
  saleAmounts: false,
  asFriends: true,
}

/** The account's settings, and what else calls on it need. */
export const accountTable = table('accounts', {
  id: c.uuid.fixed(),
  name: c.text().null(),
  defaultCurrency: c.text(),
  layerRatesPpm: c.integers,
  timeZone: c.text(),
  language: c.text(),
  pageLanguages: c.texts,
  payoutDelay: c.integer,
  minimumPayout: c.bigint,
  paydays: c.json<Paydays>(),
  oldLinkParameters: c.texts,
  leadProtectionDays: c.integer,
  attributionModel: c.text<'last-touch' | 'first-touch'>(),
  attributionOrder: c.text<'click-first' | 'code-first'>(),
  returningCustomers: c.text<'keep-partner' | 'latest-click'>(),
  partnerVisibility: c.json<Visibility>(),
  partnerLeadSubmission: c.boolean,
  invitationsFromPartners: c.boolean,
  recurringMonths: c.integer.null(),
  selfReferralPolicy: c.text<'allow' | 'flag' | 'hold' | 'refuse'>(),
  fraudRules: c.json<FraudRules>().null().fixed(),
  requireSecondFactor: c.text<'off' | 'team' | 'everyone'>(),
  rawDataDays: c.integer,
  idleLeadMonths: c.integer.null(),
  payeeYears: c.integer,
  /** The name of the account's own host while it is ready. */
  portalHost: c.text().null().fixed(),
  disabledAt: c.instant.null().fixed(),
  hasCustomerGroups: c.boolean.fixed(),
})

export type AccountFacts = RowOf<typeof accountTable>

/** Columns of {@link AccountFacts}, from accounts `a`. */
export const accountFacts = accountTable.from('a')

/** Returns these accounts by id without locking them: they may change at any time. */
export async function getAccountFacts(db: Queryable, ids: string[]): Promise<Map<string, AccountFacts>> {
  const rows = await db.many<AccountFacts>`
    select ${accountFacts} from accounts a where a.id = any(${[...new Set(ids)]}::uuid[])`
  return new Map(rows.map((row) => [row.id, row]))
}
