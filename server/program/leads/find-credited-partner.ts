import type { LeadMatchRule } from '#contract/leads.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { wrongField } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { type ClickFacts, resolveClick } from '../clicks/attribution.ts'
import { readNaming } from '../clicks/read-referral.ts'
import { findPartner, findPartnerByCode } from '../partner-directory/find-partner.ts'
import { paidAt } from './payment-time.ts'

/** The partner a lead is credited to, and the rule that decided. */
export type Attribution = {
  partnerId: string
  blueprintId: string | null
  clickId: string | null
  /** The click's link; null without a click. */
  linkId?: string | null
  subId?: string | null
  model: 'last-touch' | 'first-touch'
  matchedBy: LeadMatchRule
  /** The click's country, two capitals. */
  country?: string | null
}

/** Returns the credit that a click within its window gives. */
export const namedByClick = ({
  id: clickId,
  partnerId,
  blueprintId,
  linkId,
  subId,
  model,
  country,
}: CreditingClick) => ({
  partnerId,
  blueprintId,
  linkId,
  subId,
  clickId,
  model,
  matchedBy: 'click' as const,
  country,
})
type CreditingClick = Omit<ClickFacts, 'withinWindow' | 'gone' | 'at'>

/** The ways a submission may name its partner. */
export type Naming = {
  clickId?: string | null | undefined
  partnerId?: string | null | undefined
  referralCode?: string | null | undefined
}

/**
 * Returns the partner a submission names: by click inside its window, else by id, else by code. Null if it names none,
 * or one who gets no new credit. `strict` refuses an unknown value, with its field; otherwise it is ignored.
 */
export async function findCreditedPartner(
  db: Queryable,
  account: AccountFacts,
  naming: Naming,
  { at, strict }: { at: Date; strict: boolean },
): Promise<Attribution | null> {
  const { clickId, referralCode } = await readNaming(db, account.id, naming, at)
  const { partnerId } = naming
  const click = clickId ? await resolveClick(db, account.id, clickId, at) : undefined
  if (strict && clickId && !click) throw wrongField('clickId', 'unknown_click')
  const byId = partnerId ? await findPartner(db, account.id, partnerId) : undefined
  if (strict && partnerId && !byId) throw wrongField('partnerId', 'unknown_partner')
  const byCode = referralCode ? await findPartnerByCode(db, account.id, referralCode, paidAt(at)) : undefined
  if (strict && referralCode && !byCode) throw wrongField('referralCode', 'unknown_referral_code')

  if (click?.withinWindow) return namedByClick(click)
  const named = { blueprintId: null, clickId: null, model: account.attributionModel }
  if (byId?.earns) return { ...named, partnerId: byId.id, matchedBy: 'manual' }
  if (byCode?.earns) return { ...named, partnerId: byCode.id, matchedBy: 'code' }
  return null
}
