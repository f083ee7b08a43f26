import {
  type Group,
  type GroupChange,
  type GroupReward,
  MOST_CUSTOMER_GROUPS,
  MOST_GROUPS,
  type NewGroup,
} from '#contract/groups.ts'
import { refusals } from '#contract/refusals.ts'
import type { Terms } from '#contract/terms.ts'
import type { ListQuery } from '#contract/values.ts'
import { type Author, diffFields, userAuthor } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import { linksChanged } from '../../platform/database/links-changed.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { emitEvent } from '../../platform/events/emit-event.ts'
import { countInWords } from '../../platform/format-values.ts'
import { notFound, refusal, wrongField } from '../../platform/refusal.ts'
import { changeTranslations } from '../../platform/translations.ts'
import { getAccountFacts } from '../access/account-facts.ts'
import { type Actor, isFresh, isOwner } from '../access/actor.ts'
import { blockBookings } from '../access/lock-accounts.ts'
import { movePartner } from '../partners/change-partner.ts'
import { checkReward, checkUnits } from '../terms/check-reward.ts'
import { fromPpm } from '../terms/rates.ts'
import { saveTerms } from '../terms/save-terms.ts'
import { checkTerms } from '../terms/terms-state.ts'
import { deleteGoalsAbout } from './goals.ts'
import {
  erasedIn,
  type GroupRow,
  groupById,
  groupsPage,
  groupTable,
  hasCreditUnderWay,
  hasEntries,
  hasMovingGoals,
  isNameTaken,
  isSlugTaken,
  listGoalRows,
  markDeleted,
  noteCustomerGroups,
  numberOfCustomerGroups,
  numberOfGroups,
} from './queries.ts'

/** Lists the account's groups, the default one included. */
export async function listGroups(db: Queryable, accountId: string, query: ListQuery) {
  const { items, ...rest } = await groupsPage(db, accountId, query)
  return { items: items.map(present), ...rest }
}

/** Returns one group. Refuses: `not_found`, also for one that was deleted. */
export async function getGroup(db: Queryable, accountId: string, id: string): Promise<Group> {
  const row = await groupById(db, accountId, id)
  if (!row) throw notFound()
  return present(row)
}

/**
 * Creates a group, with terms of its own if given.
 * Refuses: `duplicate` for a name that another group has in any case, or for the address of its page; `invalid_state`
 * for one too many; a mistake in the terms; a translation into the account's own language.
 */
export async function createGroup(tx: Transaction, by: Author, accountId: string, body: NewGroup): Promise<Group> {
  const { name, publicName = null, joinSlug = null, kind = 'partners' } = body
  if (kind === 'partners' && (body.reward || body.automatic !== undefined))
    throw wrongField('kind', 'group_is_not_for_customers')
  const reward = kind === 'customers' ? (body.reward ?? { as: 'money' as const }) : null
  const automatic = reward !== null && (body.automatic ?? reward.as !== 'money')
  const terms = body.terms ?? (reward && firstTerms(reward))
  if (terms) checkTerms(terms)
  await blockBookings(tx, accountId)
  if ((await numberOfGroups(tx, accountId)) >= MOST_GROUPS) throw refusal('too_many_groups', { max: MOST_GROUPS })
  if (reward && (await numberOfCustomerGroups(tx, accountId)) >= MOST_CUSTOMER_GROUPS)
    throw refusal('too_many_customer_groups', { max: MOST_CUSTOMER_GROUPS })
  const id = newId()
  await refuseTaken(tx, accountId, id, body)
  const translations = await changedNames(tx, accountId, {}, body)
  await groupTable.insert(tx, { id, accountId, name, publicName, translations, joinSlug, kind, reward, automatic })
  if (kind === 'customers') await noteCustomerGroups(tx, accountId)
  await linksChanged(tx, accountId)
  if (terms) await saveTerms(tx, by, accountId, { kind: 'group', id }, { terms, appliesTo: 'all-sales' })
  const object = await getGroup(tx, accountId, id)
  await emitEvent(tx, by, accountId, 'group.created', { id, object, changes: diffFields({}, { ...body, terms }) })
  return object
}

/**
 * Changes a group's names and the address of its page, also the default one's, and how customers are given rewards. A
 * former address has no page.
 * Refuses: `duplicate` for a name that another group has in any case, or for the address of its page; a reward for
 * partners, or one that is fixed; `forbidden` and `recent_sign_in_required` for another connection of a reward that is; a
 * translation into the account's own language.
 */
export async function changeGroup(
  tx: Transaction,
  actor: Actor,
  accountId: string,
  id: string,
  given: GroupChange,
): Promise<Group> {
  const by = userAuthor(actor)
  await blockBookings(tx, accountId)
  const before = await getGroup(tx, accountId, id)
  const change = { ...given, translations: await changedNames(tx, accountId, before.translations, given) }
  const changes = diffFields(before, change)
  if (Object.keys(changes).length === 0) return before
  await refuseTaken(tx, accountId, id, change)
  if (before.kind === 'partners' && (change.reward || change.automatic !== undefined))
    throw wrongField(change.reward ? 'reward' : 'automatic', 'group_is_not_for_customers')
  if (changes.reward && (await refuseFixedReward(tx, before, change.reward!))) await requireOwner(tx, actor, accountId)
  await groupTable.update(tx, { accountId, id }, change)
  if (changes.reward) await ensureWholeUnits(tx, by, accountId, before, change.reward!)
  await linksChanged(tx, accountId)
  const object = await getGroup(tx, accountId, id)
  await emitEvent(tx, by, accountId, 'group.updated', { id, object, changes })
  return object
}

/** Returns the public names in further languages after a change. */
async function changedNames(
  tx: Transaction,
  accountId: string,
  saved: Group['translations'],
  { translations }: GroupChange,
) {
  if (!translations) return saved
  const account = (await getAccountFacts(tx, [accountId])).get(accountId)!
  return changeTranslations(saved, translations, account.language)
}

/**
 * Deletes a group with its goals and those that move partners to it; its terms remain in force for customers and sales
 * that they touch. Erased partners go to the default group, for new customers.
 * Refuses: `in_use` with the number of its other partners; `invalid_state` for the default group.
 */
export async function deleteGroup(tx: Transaction, by: Author, accountId: string, id: string): Promise<void> {
  if (id === accountId) throw refusal('default_group_fixed')
  await blockBookings(tx, accountId)
  const object = await getGroup(tx, accountId, id)
  const erased = await erasedIn(tx, accountId, id)
  const partners = object.partners - erased.length
  if (partners > 0)
    throw refusal(
      'group_has_partners',
      { partners: () => countInWords(partners, 'partner') },
      { details: { partners } },
    )
  const toDefault = { groupId: accountId, appliesTo: 'new-customers' } as const
  for (const partner of erased) await movePartner(tx, by, { ...partner, accountId, groupId: id }, toDefault)
  await deleteGoalsAbout(tx, by, accountId, id)
  await markDeleted(tx, accountId, id)
  if (object.kind === 'customers') await noteCustomerGroups(tx, accountId)
  await linksChanged(tx, accountId)
  await emitEvent(tx, by, accountId, 'group.deleted', {
    id,
    object,
    changes: { name: { old: object.name, new: null } },
  })
}

/** Terms of a new group for units, which are paid as amounts: the account's may be percentages. */
const firstTerms = ({ as }: GroupReward): Terms | null =>
  as === 'units' ? { rules: [], otherwise: { layerAmounts: [0] }, maxPerCustomer: null, maxPerMonth: null } : null

/**
 * Refuses a reward that is fixed. Another connection may take over once no credit is under way: then each customer is
 * named anew. Returns whether it does for a group that has rewards.
 */
async function refuseFixedReward(tx: Transaction, { accountId, id, reward }: Group, next: GroupReward) {
  const isEarned = Boolean(await hasEntries(tx, accountId, id))
  const isFixed =
    reward?.as === 'credit' && next.as === 'credit'
      ? await hasCreditUnderWay(tx, accountId)
      : isEarned || (await hasMovingGoals(tx, accountId, id))
  if (isFixed) throw refusal('reward_fixed')
  return isEarned
}

/** Refuses: anyone but an owner who has just proved who they are. */
async function requireOwner(tx: Transaction, actor: Actor, accountId: string) {
  if (!(await isOwner(tx, accountId, actor.userId)))
    throw refusal('field_not_yours', { fields: { reward: refusals.field_not_yours[1] } })
  if (!isFresh(actor, tx.now)) throw refusal('password_first')
}

/** Gives a group whose reward becomes units terms of its own if it has none. Refuses: terms or bonuses that aren't whole units. */
async function ensureWholeUnits(
  tx: Transaction,
  by: Author,
  accountId: string,
  { id, terms }: Group,
  reward: GroupReward,
) {
  for (const { bonus } of await listGoalRows(tx, accountId, id)) checkUnits('reward', bonus, reward)
  if (terms) checkReward(terms, reward)
  else if (reward.as === 'units')
    await saveTerms(tx, by, accountId, { kind: 'group', id }, { terms: firstTerms(reward), appliesTo: 'all-sales' })
}

async function refuseTaken(tx: Transaction, accountId: string, id: string, { name, joinSlug }: GroupChange) {
  if (name && (await isNameTaken(tx, accountId, id, name))) throw wrongField('name', 'group_name_taken')
  if (joinSlug && (await isSlugTaken(tx, accountId, id, joinSlug))) throw wrongField('joinSlug', 'slug_taken')
}

const present = ({ layerRatesPpm, ...row }: GroupRow): Group => ({
  ...row,
  isDefault: row.id === row.accountId,
  commissionSettings: layerRatesPpm && fromPpm(layerRatesPpm),
  rules: row.terms?.rules.length ?? 0,
})
