import type { Logger } from 'pino'
import type { movePartners as call } from '#contract/partners.ts'
import { Id } from '#contract/values.ts'
import type { By } from '../../platform/author.ts'
import { asUuid } from '../../platform/database/ids.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { eachRow, resultsOf } from '../../platform/http/rows.ts'
import type { Install } from '../../platform/services.ts'
import type { Access } from '../access/access.ts'
import type { Call } from '../access/route.ts'
import { groupOf } from '../terms/moves.ts'
import { changePartner } from './change-partner.ts'

/**
 * Moves each of these partners to a group; a refused one undoes only itself.
 * Refuses: `validation_failed` for a group that the account doesn't have.
 */
export async function movePartners(
  tx: Transaction,
  install: Install & { log: Logger },
  by: By,
  access: Access,
  { partnerIds, groupId, appliesTo }: Call<typeof call, Transaction>['body'],
) {
  await groupOf(tx, access.account.id, groupId)
  const one = eachRow<string>(tx, async (id) => {
    const partner = await changePartner(tx, install, by, { ...access, subjectId: asUuid(id) }, { groupId, appliesTo })
    return { status: 200, id: partner.id, body: partner }
  })
  return { results: await resultsOf(install.log, Id, partnerIds, one) }
}
