import type { Logger } from 'pino'
import type { movePartners as call } from '#contract/partners.ts'
import type { Reach } from '#contract/terms.ts'
import { Id } from '#contract/values.ts'
import { type Author, system } from '../../platform/author.ts'
import { asUuid } from '../../platform/database/ids.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { eachRow, processRows } from '../../platform/http/rows.ts'
import type { Install } from '../../platform/services.ts'
import type { Access } from '../access/access.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import type { Call } from '../access/route.ts'
import { getGroup } from '../terms/moves.ts'
import { changePartner, movePartner } from './change-partner.ts'
import { emitPartnerEvent } from './emit-partner-events.ts'
import { lockAccountPartners } from './queries.ts'

/**
 * Moves each of these partners to a group; a refused one undoes only itself.
 * Refuses: `validation_failed` for a group that the account doesn't have.
 */
export async function movePartners(
  tx: Transaction,
  install: Install & { log: Logger },
  by: Author,
  access: Access,
  { partnerIds, groupId, appliesTo }: Call<typeof call, Transaction>['body'],
) {
  await getGroup(tx, access.account.id, groupId)
  const one = eachRow<string>(tx, async (id) => {
    const partner = await changePartner(tx, install, by, { ...access, subjectId: asUuid(id) }, { groupId, appliesTo })
    return { status: 200, id: partner.id, body: partner }
  })
  return { results: await processRows(install.log, Id, partnerIds, one) }
}

type MoveByGoal = {
  partner: { id: string; groupId: string }
  goal: { id: string; name: string; moveToGroupId: string | null; appliesTo: Reach | null }
}

/** Moves partners by goals of their groups; `judge` is called while no other transaction changes partners. */
export async function moveByGoals(tx: Transaction, account: AccountFacts, judge: () => Promise<MoveByGoal[]>) {
  await lockAccountPartners(tx, account.id)
  for (const { partner, goal } of await judge()) {
    const to = { groupId: goal.moveToGroupId!, appliesTo: goal.appliesTo!, goal }
    if (!(await movePartner(tx, system, { ...partner, accountId: account.id }, to))) continue
    const changes = { groupId: { old: partner.groupId, new: to.groupId } }
    await emitPartnerEvent(tx, system, account, 'partner.updated', { id: partner.id, changes })
  }
}
