import type { Logger } from 'pino'
import { type BulkActionKind, MOST_REFUSALS } from '#contract/bulk-actions.ts'
import { type By, byOf } from '../../platform/author.ts'
import { concernsAll, savepoint, type Transaction, transaction } from '../../platform/database/pool.ts'
import { asRefusal } from '../../platform/http/errors.ts'
import type { Jobs } from '../../platform/jobs/queue.ts'
import { notFound, type Refusal, refusal, rowError } from '../../platform/refusal.ts'
import type { Install, Services } from '../../platform/services.ts'
import { type AccountFacts, accountFactsOf } from '../access/account-facts.ts'
import { invitationOfPartner, retryInvitation } from '../auth/invitations.ts'
import { partnerNames } from '../partner-lookup/partner-names.ts'
import { changePartner } from '../partners/change-partner.ts'
import { payoutName } from '../payouts/payout-number.ts'
import { remindPartner } from '../payouts/remind-partner.ts'
import { retryPayout } from '../payouts/retry-payout.ts'
import { type BulkActionRow, lockBulkAction, saveProgress } from './queries.ts'
import { bulkActionQueue } from './queue.ts'

/** Milliseconds that one job works before it yields to others. */
const TURN_MS = 5000

/** `link`: an invitation to pass on by hand; `unsent`: its mail was kept, because this server sends none. */
type Outcome = 'done' | 'link' | 'unsent'
type Acting = {
  tx: Transaction
  install: Install
  jobs: Jobs
  by: By
  account: AccountFacts
  reason: string | null
}

/** Each action on one partner or payout of the account. */
const actions: Record<BulkActionKind, (acting: Acting, id: string) => Promise<Outcome>> = {
  async 'invite-partners'({ tx, install, by, account }, id) {
    await retryInvitation(tx, install, by, id, { accountId: account.id, invitedByPartner: null })
    const invitation = await invitationOfPartner(tx, install, id, { showUrl: true })
    return invitation?.url ? 'link' : sent(install)
  },
  async 'remind-partners'({ tx, install, by, account }, id) {
    const { hasJoined } = await tx.one<{ hasJoined: boolean }>`
      select user_id is not null as has_joined from partners where id = ${id} and account_id = ${account.id}`
    const kind = hasJoined ? 'payout-settings' : 'invitation'
    await remindPartner(tx, install, by, { account, partnerId: id }, kind)
    return sent(install)
  },
  'suspend-partners': (acting, id) => setState(acting, id, { state: 'suspended', reason: acting.reason }),
  'activate-partners': (acting, id) => setState(acting, id, { state: 'active' }),
  async 'retry-payouts'({ tx, jobs, by, account }, id) {
    await retryPayout(tx, jobs, by, account, id)
    return 'done'
  },
}

const sent = ({ config }: Install): Outcome => (config.smtpUrl ? 'done' : 'unsent')

async function setState(
  { tx, install, by, account }: Acting,
  id: string,
  change: Parameters<typeof changePartner>[4],
): Promise<Outcome> {
  await changePartner(tx, install, by, { account, as: 'owner', subjectId: id, partnerId: null }, change)
  return 'done'
}

/** Returns the name of a partner or payout of the account; undefined if the account has none with this id. */
async function nameOf(tx: Transaction, { action, accountId }: BulkActionRow, id: string): Promise<string | undefined> {
  if (action !== 'retry-payouts') return (await partnerNames(tx, [accountId], [id])).get(id)
  const payout = await tx.maybe<{ statementNumber: number }>`
    select statement_number from payouts where id = ${id} and account_id = ${accountId}`
  return payout && payoutName(payout)
}

/**
 * Continues an action where it stopped: each of the many in a transaction of its own that also counts it, so that it is
 * done once, whenever the process dies. A turn takes a few seconds; then another job follows.
 */
export async function runBulkAction(
  services: Services,
  { accountId, bulkActionId }: { accountId: string; bulkActionId: string },
): Promise<void> {
  const { db, jobs } = services
  const until = performance.now() + TURN_MS
  while (await transaction(db, (tx) => takeNext(services, tx, accountId, bulkActionId))) {
    if (performance.now() < until) continue
    return transaction(db, (tx) => jobs.add(tx, bulkActionQueue, { accountId, bulkActionId }))
  }
}

/** Returns whether there may be more. */
async function takeNext(
  { config, secrets, jobs, log }: Services,
  tx: Transaction,
  accountId: string,
  bulkActionId: string,
) {
  const row = await lockBulkAction(tx, accountId, bulkActionId)
  if (row?.state !== 'running') return false
  const account = (await accountFactsOf(tx, [accountId])).get(accountId)!
  const id = row.subjectIds[row.done + row.refused]
  if (id === undefined || account.disabledAt) {
    await saveProgress(tx, { ...row, state: id ? 'canceled' : 'done', finishedAt: tx.now.toISOString() })
    return false
  }
  const name = await nameOf(tx, row, id)
  const install = { config, secrets }
  const acting = { tx, install, jobs, by: byOf(row.createdBy), account, reason: row.reason }
  const outcome = await savepoint(tx, async () => {
    if (name === undefined) throw notFound()
    return actions[row.action](acting, id)
  }).catch((error) => refusalOf(log, error))
  await saveProgress(tx, typeof outcome === 'string' ? counted(row, outcome) : withRefusal(row, { id, name }, outcome))
  return true
}

/** A bug fails only its own, since the others must not wait for it. */
function refusalOf(log: Logger, error: unknown): Refusal {
  const refused = asRefusal(error)
  if (concernsAll(error) || refused?.code === 'unavailable') throw error
  if (!refused) log.error({ err: error }, 'one of a bulk action failed')
  return refused ?? refusal('row_failed')
}

const counted = (row: BulkActionRow, outcome: Outcome): BulkActionRow => ({
  ...row,
  done: row.done + 1,
  links: row.links + (outcome === 'link' ? 1 : 0),
  unsent: row.unsent + (outcome === 'unsent' ? 1 : 0),
})

const withRefusal = (
  row: BulkActionRow,
  { id, name }: { id: string; name: string | undefined },
  refused: Refusal,
): BulkActionRow => ({
  ...row,
  refused: row.refused + 1,
  refusals: [...row.refusals, { id, name: name ?? null, error: rowError(refused) }].slice(0, MOST_REFUSALS),
})
