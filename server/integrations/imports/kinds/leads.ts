import { z } from 'zod'
import { isReachable, leadFields, unreachable } from '#contract/leads.ts'
import type { Json } from '#contract/payload-paths.ts'
import type { Transaction } from '../../../platform/database/pool.ts'
import { parseValue } from '../../../platform/http/parse.ts'
import { wrongField } from '../../../platform/refusal.ts'
import { namedPartner } from '../../../program/clicks/named-partner.ts'
import { captureLead, toIdentity } from '../../../program/leads/capture-lead.ts'
import { lockPeople } from '../../../program/leads/lead-facts.ts'
import { deleteImportedLead, revertLeadImport } from '../../../program/leads/take-back-lead.ts'
import {
  eachByItself,
  type FileKind,
  type ImportContext,
  partnerFields,
  type RowOutcome,
  rowsRolledBack,
  toFieldTypes,
} from './kind.ts'

const { metadata: _, ...identity } = leadFields
const Row = z
  .strictObject({
    ...identity,
    ...partnerFields,
  })
  .refine(isReachable, unreachable)
type Row = z.output<typeof Row>

const submissionOf = ({ partnerEmail: _, referralCode: __, number: ___, earlier: ____, ...row }: Partial<InFile>) => ({
  ...row,
  source: 'import' as const,
})

/** `earlier`: in a dry run, the first rows of the file with its external ID, email and phone. */
type InFile = Row & { number: number; earlier: InFile[] }

/** Leads, each imported like a single one: matched by external id, else e-mail, else phone. */
export const leads: FileKind<InFile> = {
  batch: 100,
  check: (values) => ({ ...parseValue(Row, toFieldTypes(values), 'body'), number: 0, earlier: [] }),
  keyOf(row) {
    const { email, phoneE164, externalId } = toIdentity(submissionOf(row))
    return externalId ?? email ?? phoneE164
  },
  differenceOf: (first, row) =>
    isOther(toIdentity(submissionOf(first)), toIdentity(submissionOf(row))) ? 'customer' : null,
  inFile(dryRun) {
    const firsts = new Map<string, InFile>()
    return (given, number) => {
      if (!dryRun) return given
      const { email, phoneE164, externalId } = toIdentity(submissionOf(given))
      const names = Object.entries({ email, phoneE164, externalId }).flatMap(([by, name]) =>
        name ? `${by} ${name}` : [],
      )
      const row = { ...given, number, earlier: names.flatMap((name) => firsts.get(name) ?? []) }
      for (const name of names) if (!firsts.has(name)) firsts.set(name, row)
      return row
    }
  },
  async apply(importing, rows) {
    const { tx, account, dryRun } = importing
    const earlier = dryRun
      ? await rowsRolledBack(
          importing,
          rows.flatMap((row) => row.earlier),
        )
      : []
    const people = [...earlier, ...rows].map((row) => ({ ...toIdentity(submissionOf(row)), accountId: account.id }))
    await lockPeople(tx, [account.id], people)
    await eachByItself(tx, earlier, (row) => captured(importing, row))
    const known = await leadsCalled(tx, account.id, rows)
    return eachByItself(tx, rows, async (row) => {
      const its = known.get(row.externalId ?? '')
      if (its && isOther(its, toIdentity(submissionOf(row)))) throw wrongField('externalId', 'import_lead_differs')
      return captured(importing, row)
    })
  },
  async undo({ tx, by, account }, made) {
    for (const one of made)
      if (one.type === 'lead-change') await revertLeadImport(tx, by, account, one.id, one.changed)
      else await deleteImportedLead(tx, by, account, one.id)
  },
}

type Person = { email: string | null; phoneE164: string | null }

/** Whether two leads of one ID are of different people: by email, else by phone. */
const isOther = (one: Person, other: Person) =>
  one.email && other.email
    ? one.email !== other.email
    : one.phoneE164 && other.phoneE164 && one.phoneE164 !== other.phoneE164

/** Returns the leads of the account with these rows’ IDs. */
async function leadsCalled(tx: Transaction, accountId: string, rows: Row[]) {
  const ids = rows.flatMap(({ externalId }) => externalId ?? [])
  const leads = await tx.many<Person & { externalId: string }>`
    select external_id, email, phone_e164 from leads
    where account_id = ${accountId} and external_id = any(${ids}::text[])`
  return new Map(leads.map((lead) => [lead.externalId, lead]))
}

/** Returns the filled fields of the row. */
const filledFields = (row: Row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value != null)) as Json

async function captured(
  { tx, account, by }: ImportContext,
  { number: _, earlier: __, ...row }: InFile,
): Promise<RowOutcome> {
  const partnerId = await namedPartner(tx, account.id, row)
  const { leadId, created, changed } = await captureLead(tx, account, {
    ...submissionOf(row),
    partnerId,
    sent: filledFields(row),
    by,
  })
  return created
    ? { outcome: 'created', made: [{ type: 'lead', id: leadId }] }
    : {
        outcome: 'skipped',
        message: 'This lead already exists. Missing details were added to it.',
        ...(changed && { made: [{ type: 'lead-change', id: leadId, changed }], assigned: 'partnerId' in changed }),
      }
}
