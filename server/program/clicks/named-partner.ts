import type { Transaction } from '../../platform/database/pool.ts'
import { wrongField } from '../../platform/refusal.ts'
import { findPartnerByCode, findPartnerByEmail } from '../partner-directory/find-partner.ts'
import { resolveClick } from './attribution.ts'
import { readReferral } from './read-referral.ts'

/** The fields by which a row of a file names its partner. */
export type NamedPartner = { partnerEmail?: string | null | undefined; referralCode?: string | null | undefined }

/** Returns the partner that a row names, by e-mail or code; null if it names none. Refuses an unknown one. */
export async function namedPartner(
  tx: Transaction,
  accountId: string,
  { partnerEmail, referralCode }: NamedPartner,
): Promise<string | null> {
  if (partnerEmail) {
    const partner = await findPartnerByEmail(tx, accountId, partnerEmail)
    if (!partner) throw wrongField('partnerEmail', 'unknown_partner_email')
    return partner.id
  }
  if (!referralCode) return null
  const { codes, click } = await readReferral(tx, accountId, referralCode, true)
  const byClick = click ? await resolveClick(tx, accountId, click, tx.now) : undefined
  const partnerId = byClick?.partnerId ?? (await findPartnerByCode(tx, accountId, codes))?.id
  if (!partnerId) throw wrongField('referralCode', 'unknown_code', { code: referralCode })
  return partnerId
}
