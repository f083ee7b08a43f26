import { z } from 'zod'
import { isReachable, leadFields, unreachable } from '#contract/leads.ts'
import type { Json } from '#contract/payload-paths.ts'
import { parse } from '../../../platform/http/parse.ts'
import { wrongField } from '../../../platform/refusal.ts'
import { captureLead, identityOf } from '../../../program/leads/capture-lead.ts'
import { deleteLead } from '../../../program/leads/delete-lead.ts'
import { lockPeople } from '../../../program/leads/lock-people.ts'
import { findPartnerByCode, findPartnerByEmail } from '../../../program/names/find-partner.ts'
import { eachByItself, type Importing, type ImportKind } from './kind.ts'
import { ofPartner, typed } from './rows.ts'

const { metadata: _, ...identity } = leadFields
const Row = z
  .strictObject({
    ...identity,
    ...ofPartner,
  })
  .refine(isReachable, unreachable)
type Row = z.output<typeof Row>

const submissionOf = ({ partnerEmail: _, referralCode: __, ...row }: Row) => ({ ...row, source: 'import' as const })

/** Leads, each as if it came in by itself: known again by external id, else e-mail, else phone. */
export const leads: ImportKind<Row> = {
  batch: 100,
  check: (values) => parse(Row, typed(values), 'body'),
  keyOf(row) {
    const { email, phoneE164, externalId } = identityOf(submissionOf(row))
    return externalId ?? email ?? phoneE164
  },
  async apply(importing, rows) {
    const { tx, account, by } = importing
    const people = rows.map((row) => ({ ...identityOf(submissionOf(row)), accountId: account.id }))
    await lockPeople(tx, [account.id], people)
    return eachByItself(tx, rows, async (row) => {
      const partnerId = await partnerOf(importing, row)
      const { leadId, created } = await captureLead(tx, account, {
        ...submissionOf(row),
        partnerId,
        sent: given(row),
        by,
      })
      return created
        ? { outcome: 'created', made: [{ type: 'lead', id: leadId }] }
        : { outcome: 'skipped', message: 'This lead already exists. What was missing was added to it.' }
    })
  },
  async undo({ tx, by, account }, made) {
    for (const { id } of made)
      await deleteLead(tx, by, account, id).catch((error) => {
        if (error.code !== 'not_found') throw error
      })
  },
}

/** What the file said of it. */
const given = (row: Row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value != null)) as Json

/** The partner a row names, by e-mail or code. Refuses an unknown one. */
export async function partnerOf(
  { tx, account }: Pick<Importing, 'tx' | 'account'>,
  {
    partnerEmail,
    referralCode,
  }: { partnerEmail?: string | null | undefined; referralCode?: string | null | undefined },
): Promise<string | null> {
  if (partnerEmail) {
    const partner = await findPartnerByEmail(tx, account.id, partnerEmail)
    if (!partner) throw wrongField('partnerEmail', 'unknown_partner_email')
    return partner.id
  }
  if (!referralCode) return null
  const partner = await findPartnerByCode(tx, account.id, referralCode)
  if (!partner) throw wrongField('referralCode', 'unknown_referral_code')
  return partner.id
}
