import { moneyInWords } from '#contract/money.ts'
import type { Partner, PartnerArchiving } from '#contract/partners.ts'
import { isAsShown } from '../../platform/as-shown.ts'
import type { Author } from '../../platform/author.ts'
import { linksChanged } from '../../platform/database/links-changed.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { notFound, refusal } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { addAdjustment } from '../commissions/adjustments.ts'
import { rememberVoided } from '../commissions/voided.ts'
import { getOpenBalance } from '../payouts/balances.ts'
import { endPortals } from '../portal/sessions.ts'
import { emitPartnerEvent } from './emit-partner-events.ts'
import {
  directSubPartners,
  lockAccountPartners,
  lockPartner,
  moveSubPartners,
  partnerById,
  partnerTable,
  writePause,
} from './queries.ts'
import { countMove } from './tree.ts'

/**
 * Archives a partner: links redirect without credit, and earnings stay. Sub-partners move to the parent or stay below.
 * The open balance is paid out as usual, and existing leads still earn for them; or it is voided by an adjustment, then
 * amounts returned later by payouts and failed refunds are void too, and nothing more is earned.
 * Refuses: `invalid_state` for one already archived; `conflict` if another balance would be voided than was shown.
 */
export async function archivePartner(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  id: string,
  { subPartners, balance, reason, shown }: PartnerArchiving,
): Promise<Partner> {
  await lockAccountPartners(tx, account.id)
  // a concurrent approval comes before the balance is read, or after it was voided
  if (balance === 'void') await lockPartner(tx, account.id, id)
  const before = await partnerById(tx, account.id, id)
  if (!before) throw notFound()
  if (before.erasedAt) throw refusal('erased')
  if (before.storedState === 'archived') throw refusal('partner_already_archived', { details: { state: before.state } })

  if (subPartners === 'move-up') {
    const moved = await directSubPartners(tx, account.id, id)
    await moveSubPartners(tx, account.id, id, before.parentPartnerId)
    await countMove(tx, account.id, moved, { from: id, to: before.parentPartnerId })
    const changes = { parentPartnerId: { old: id, new: before.parentPartnerId } }
    for (const { id: movedId } of moved)
      await emitPartnerEvent(tx, by, account, 'partner.updated', { id: movedId, changes })
  }
  if (balance === 'void') {
    await rememberVoided(tx, account.id, id)
    const open = await getOpenBalance(tx, account.id, id)
    if (shown && !isAsShown(shown, { openBalance: open }))
      throw refusal('open_balance_changed', { amount: () => moneyInWords(open, account.defaultCurrency) })
    if (open !== 0) await addAdjustment(tx, by, account, id, { amount: -open, reason: reason! })
  }
  await partnerTable.update(
    tx,
    { accountId: account.id, id },
    {
      storedState: 'archived',
      stateReason: reason ?? null,
      voidReason: balance === 'void' ? reason : null,
    },
  )
  await endPortals(tx, account.id, id)
  await writePause(tx, account.id, id)
  await linksChanged(tx, account.id)
  return emitPartnerEvent(tx, by, account, 'partner.updated', {
    id,
    changes: {
      state: { old: before.storedState, new: 'archived' },
      subPartners: { old: null, new: subPartners },
      balance: { old: null, new: balance },
      reason: { old: null, new: reason ?? null },
    },
  })
}
