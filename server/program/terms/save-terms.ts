import { simpleTerms } from '#contract/simple-terms.ts'
import type { Reach, Terms, TermsSource } from '#contract/terms.ts'
import type { CommissionSettings } from '#contract/values.ts'
import { type Author, toActor } from '../../platform/author.ts'
import { linksChanged } from '../../platform/database/links-changed.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { rawSql, sql } from '../../platform/database/sql.ts'
import { wrongField } from '../../platform/refusal.ts'
import { customerGroups, rewardIn, rewardsOfPartners } from '../access/customer-groups.ts'
import { checkReward } from './check-reward.ts'
import { recountEarned } from './earned-months.ts'
import { toLayerPpm } from './rates.ts'

/** Whose terms they are. Those of an account are its default. */
export type TermsSubject = { kind: TermsSource; id: string }

export type SavedTerms = { terms: Terms | null; appliesTo: Reach; note?: string | null; notifyPartners?: boolean }

const tableOf = {
  account: rawSql('accounts'),
  group: rawSql('groups'),
  link: rawSql('link_blueprints'),
  partner: rawSql('partners'),
}

/**
 * Saves the next version of the terms of an account, a group, a link or a partner, whose own are taken away by `null`. Equal
 * terms with a reach that is not wider are no version. The caller keeps bookings out of the account, so that every
 * booking saw all lower numbers. Returns whether a version was added.
 * Refuses: terms that don't suit the reward of the group, or of the partner's.
 */
export async function saveTerms(
  tx: Transaction,
  by: Author,
  accountId: string,
  { kind, id }: TermsSubject,
  saved: SavedTerms,
): Promise<boolean> {
  const { terms } = saved
  const reward = await findReward(tx, accountId, { kind, id })
  if (reward && terms) checkReward(terms, reward)
  else if (reward?.as === 'units' && kind === 'group') throw wrongField('terms', 'units_are_amounts')
  const isCapped = terms !== null && (terms.maxPerMonth ?? terms.maxPerYear ?? null) !== null
  const isFirstCap = isCapped && !(await hadMonthlyCaps(tx, accountId))
  if (!(await addToLog(tx, by, accountId, { subject: kind, subjectId: id, ...saved }))) return false
  if (isFirstCap) await recountEarned(tx, accountId)
  await linksChanged(tx, accountId)
  // percentages for lists, and for forms that support nothing else
  await tx.run`
    update ${tableOf[kind]} set layer_rates_ppm = ${terms && toLayerPpm(terms.otherwise)}, updated_at = ${tx.now}
    where ${kind === 'account' ? rawSql('id') : rawSql('account_id')} = ${accountId} and id = ${id}`
  return true
}

/** Returns the reward of a group of customers, or of a partner in one. */
async function findReward(tx: Transaction, accountId: string, { kind, id }: TermsSubject) {
  if (kind === 'partner') return (await rewardsOfPartners(tx, accountId, [id])).get(id)
  return kind === 'group' ? rewardIn(await customerGroups(tx, accountId), id) : undefined
}

/** Whether any terms that an account ever had limit what a month or a year pays. */
export const hadMonthlyCaps = (tx: Transaction, accountId: string) =>
  tx.maybe`select from terms_log where account_id = ${accountId}
    and coalesce(terms ->> 'maxPerMonth', terms ->> 'maxPerYear') is not null limit 1`

type LogRow = { appliesTo: Reach; note?: string | null; notifyPartners?: boolean } & (
  | { subject: TermsSource; subjectId: string; terms: Terms | null }
  | { subject: 'move'; partnerId: string; groupId: string | null; goalId?: string | null }
)

/**
 * Adds a row to the log of an account, unless it equals the newest of its subject, or of the partner, and reaches no
 * further. Returns whether it did.
 */
export async function addToLog(tx: Transaction, by: Author, accountId: string, row: LogRow): Promise<boolean> {
  const { subject, subjectId, partnerId, terms, groupId, goalId, appliesTo, note, notifyPartners } = {
    subjectId: null,
    partnerId: null,
    terms: null,
    groupId: null,
    goalId: null,
    note: null,
    notifyPartners: false,
    ...row,
  }
  // terms without a cap for a year are those of before there was one
  const given = terms && JSON.stringify({ ...terms, maxPerYear: terms.maxPerYear ?? undefined })
  const added = await tx.run`
    insert into terms_log (account_id, number, subject, subject_id, partner_id, terms, group_id, applies_to, saved_at,
      saved_by, note, tell_partners, goal_id)
    select ${accountId}, (select coalesce(max(number), 0) + 1 from terms_log where account_id = ${accountId}),
      ${subject}, ${subjectId}::uuid, ${partnerId}::uuid, ${given}::jsonb, ${groupId}::uuid, ${appliesTo}, ${tx.now},
      ${toActor(by)}, ${note}, ${notifyPartners}, ${goalId}::uuid
    from (select) one left join lateral (
      select terms, group_id, applies_to from terms_log
      where account_id = ${accountId} and ${partnerId ? sql`partner_id = ${partnerId}` : sql`subject_id = ${subjectId}`}
      order by number desc limit 1) newest on true
    where (newest.terms, newest.group_id) is distinct from (${given}::jsonb, ${groupId}::uuid)
      or (newest.applies_to = 'new-customers' and ${appliesTo} = 'all-sales')`
  return added > 0
}

/** Saves percentages alone, as the forms of accounts, links and partners do: terms without rules, for all sales. */
export const saveRates = (
  tx: Transaction,
  by: Author,
  accountId: string,
  subject: TermsSubject,
  settings: CommissionSettings | null,
) => saveTerms(tx, by, accountId, subject, { terms: settings && simpleTerms(settings), appliesTo: 'all-sales' })
