import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { Id, Instant } from '#contract/values.ts'
import { lockKeys } from '../../platform/database/lock-keys.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { countInWords } from '../../platform/format-values.ts'
import type { Watched } from '../../program/dashboard/dashboard.ts'
import { ownerOfId } from '../../program/leads/lead-facts.ts'
import { type StoredRules, toRules } from './rules.ts'

/** A lead whose external ID a delivery names with another email, and what it recorded of that person. */
const Other = z.object({
  externalId: z.string(),
  leadId: Id,
  email: z.string(),
  made: z.object({ type: z.enum(['lead', 'sale', 'refund']), id: Id }),
})
export type Other = z.infer<typeof Other>

/** The form in which deliveries keep them. */
export const OthersId = z.array(Other)

/** The external ID that deliveries of a webhook name with different emails. */
export const SameId = z.object({ externalId: z.string(), since: Instant })
export type SameId = z.infer<typeof SameId>

export type Named = { others: Omit<Other, 'made'>[]; warnings: string[] }
type Person = { email?: string | null | undefined; externalId?: string | null | undefined }

/** Returns the lead that has a person's external ID with another email, which decides, and a warning. */
export async function othersId(tx: Transaction, accountId: string, { email, externalId }: Person): Promise<Named> {
  const other = email && externalId ? await ownerOfId(tx, accountId, { email, externalId }) : undefined
  if (!email || !externalId || !other) return { others: [], warnings: [] }
  return {
    others: [{ externalId, leadId: other.id, email: email.trim().toLowerCase() }],
    warnings: [`${beginning(externalId)} (${maskEmail(other.email)}). Recorded by email.`],
  }
}

const beginning = (externalId: string) => `External ID ${externalId} belongs to someone else`

/** Returns whether the warning of a delivery is about this person. */
export const isOfOther =
  (warning: string) =>
  ({ externalId }: Other) =>
    warning.startsWith(beginning(externalId))

export const maskEmail = (email: string) => email.replace(/^(.).*(?=@)/s, '$1•••')

type Hook = { id: string; accountId: string; updatedAt: string }

/** The people `o` whose external IDs the deliveries of a webhook name with another email. */
const conflictsOf = (accountId: Sql | string, webhookId: Sql | string) => sql`
  incoming_deliveries d cross join jsonb_array_elements(d.others_id) o
  where d.account_id = ${accountId} and d.webhook_id = ${webhookId} and d.others_id is not null`

/** Notes that deliveries of a webhook name an external ID with a second email of others than its lead. */
export async function noteSameId(tx: Transaction, { id, accountId, updatedAt }: Hook, others: Other[]) {
  for (const { externalId, email } of others) {
    // of two at once, the second sees the first
    await lockKeys(tx, [{ accountId, name: `same id ${id} ${externalId}` }])
    const isSecond = await tx.value<boolean>`
      select exists (
        select from ${conflictsOf(accountId, id)} and o ->> 'externalId' = ${externalId} and o ->> 'email' <> ${email})`
    const isFree = await tx.value<boolean>`
      select ${sameIdIn(accountId)} is null from incoming_webhooks t where t.id = ${id}`
    if (!isSecond || !isFree) continue
    const noted: SameId = { externalId, since: tx.now.toISOString() }
    await tx.run`
      update incoming_webhooks set same_id = ${JSON.stringify(noted)}::jsonb
      -- not if its mapping may have changed meanwhile
      where id = ${id} and updated_at = ${updatedAt}`
  }
}

/** The note of webhook `t` of the account, while a delivery that names the external ID is kept. */
export const sameIdIn = (accountId: string) => sql`case when t.same_id is not null and exists (
  select from ${conflictsOf(accountId, sql`t.id`)} and o ->> 'externalId' = t.same_id ->> 'externalId') then t.same_id end`

/** Ends what is noted of a webhook once its deliveries name the external ID with less than two emails. */
export async function endSameId(tx: Transaction, { id, accountId }: Pick<Hook, 'id' | 'accountId'>) {
  const noted = await tx.maybe<{ externalId: string }>`
    select same_id ->> 'externalId' as external_id from incoming_webhooks where id = ${id} and same_id is not null`
  if (!noted) return
  const emails = await tx.value<number>`
    select count(distinct o ->> 'email') from ${conflictsOf(accountId, id)} and o ->> 'externalId' = ${noted.externalId}`
  if (emails < 2) await clearSameId(tx, id)
}

export const clearSameId = (tx: Transaction, id: string) => tx.run`
  update incoming_webhooks set same_id = null where id = ${id}`

/** Incoming webhooks whose deliveries name an external ID with different emails. */
export const sameIds: Watched = {
  kind: 'incoming-webhook-conflict',
  link: '/integrations/incoming-webhooks',
  inWords: (count) => `${countInWords(count, 'incoming webhook')} with the same external ID for different people`,
  async count(db, accountId) {
    const values = await db.many<{ value: string }>`
      select s.same_id ->> 'externalId' as value from (
        select t.id, ${sameIdIn(accountId)} as same_id from incoming_webhooks t
        where t.account_id = ${accountId} and t.same_id is not null) s
      where s.same_id is not null order by s.id`
    return { count: values.length, since: null, value: values[0]?.value ?? null }
  },
}

/** Whether a webhook reads the external IDs of leads from the same places by these rules as by those. */
export const readsSameIds = (before: StoredRules, now: StoredRules) =>
  isDeepStrictEqual(...([before, now].map(idsOf) as [unknown, unknown]))

const idsOf = (stored: StoredRules) =>
  toRules(stored).map(({ target, each, mapping }) => {
    const id = target === 'lead' ? 'externalId' : 'leadExternalId'
    return { target, each, ids: mapping.filter(({ field }) => field === id) }
  })
