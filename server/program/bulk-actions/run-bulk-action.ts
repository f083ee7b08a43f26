import type { Logger } from 'pino'
import { type NewBulkAction, rightOfAction, subjectsOfAction } from '#contract/bulk-actions.ts'
import { mergeParts } from '#contract/merge-parts.ts'
import { moneyInWords } from '#contract/money.ts'
import * as features from '#features/index.server.ts'
import { type Author, parseActor } from '../../platform/author.ts'
import { asUuid } from '../../platform/database/ids.ts'
import { concernsAll, type Transaction, transaction, withSavepoint } from '../../platform/database/pool.ts'
import { asRefusal } from '../../platform/http/errors.ts'
import { notFound, type Refusal, refusal, rowError } from '../../platform/refusal.ts'
import type { Install, Services } from '../../platform/services.ts'
import { buildOwnerView } from '../access/access.ts'
import { getAccountFacts } from '../access/account-facts.ts'
import { isInTeam } from '../access/actor.ts'
import { invitationOfPartner, retryInvitation } from '../auth/invitations.ts'
import { refuseErased } from '../leads/erase-lead.ts'
import { leadNames } from '../leads/lead-facts.ts'
import { changeLeadStatus } from '../leads/lead-status.ts'
import { addNote } from '../leads/timeline.ts'
import { partnerNames } from '../partner-directory/partner-names.ts'
import { changePartner } from '../partners/change-partner.ts'
import { markPayoutPaid } from '../payouts/mark-paid.ts'
import { payoutName } from '../payouts/payout-number.ts'
import { remindPartner } from '../payouts/remind-partner.ts'
import { retryPayout } from '../payouts/retry-payout.ts'
import { attributeSale, reassignLead } from '../sales/attribute-sale.ts'
import { changeTerms } from '../terms/terms-state.ts'
import type { Acting, ActsOnMany } from './acts.ts'
import { type BulkCounts, findRunningAction, lockProgress, type RunningAction, saveProgress } from './queries.ts'
import { bulkActionQueue } from './queue.ts'

/** Milliseconds that one job works before it yields to others. */
const TURN_MS = 5000

/** `link`: an invitation to pass on by hand; `unsent`: its mail was kept, because this server sends none. */
type Outcome = 'done' | 'link' | 'unsent'
/** Each action on one partner, lead or payout of the account. */
const actions: ActsOnMany = {
  async 'invite-partners'({ tx, install, by, account }, id): Promise<Outcome> {
    await retryInvitation(tx, install, by, id, { accountId: account.id, invitedByPartner: null })
    const invitation = await invitationOfPartner(tx, install, id, { showUrl: true })
    return invitation?.url ? 'link' : sent(install)
  },
  async 'remind-partners'({ tx, install, by, account }, id): Promise<Outcome> {
    const { hasJoined } = await tx.one<{ hasJoined: boolean }>`
      select user_id is not null as has_joined from partners where id = ${id} and account_id = ${account.id}`
    const kind = hasJoined ? 'payout-settings' : 'invitation'
    await remindPartner(tx, install, by, { account, partnerId: id }, kind)
    return sent(install)
  },
  'suspend-partners': (acting, id, { reason }) => change(acting, id, { state: 'suspended', reason }),
  'activate-partners': (acting, id) => change(acting, id, { state: 'active' }),
  'retry-payouts': ({ tx, jobs, by, account }, id) => retryPayout(tx, jobs, by, account, id),
  'move-partners': (acting, id, request) => change(acting, id, request.change),
  'change-partner-terms': ({ tx, by, account }, id, request) =>
    changeTerms(tx, by, account.id, { kind: 'partner', id }, request.change),
  async 'change-lead-status'({ tx, by, account }, id, request) {
    await refuseErased(tx, account.id, id)
    await changeLeadStatus(tx, by, account, id, request.change)
  },
  async 'reassign-leads'({ tx, by, account }, id, { change, leads }) {
    await refuseErased(tx, account.id, id)
    const { sales } = leads?.find((one) => asUuid(one.id) === id) ?? { sales: { count: 0, amount: 0 } }
    await reassignLead(tx, by, account, id, { ...change, ...(leads && { shown: { sales } }) })
  },
  async 'add-lead-note'({ tx, by, account }, id, request) {
    await refuseErased(tx, account.id, id)
    await addNote(tx, by, account, id, request.change)
  },
  'attribute-sales'({ tx, by, account }, id, { change: { partnerId, reason }, sales = [] }) {
    const leadId = sales.find((one) => asUuid(one.id) === id)?.leadId
    return attributeSale(tx, by, account, id, { ...(leadId ? { leadId } : { partnerId }), reason })
  },
  ...mergeParts(features, 'bulkActions'),
  'mark-payouts-paid'({ tx, by, account, startedAt }, id, { change, payouts = [] }) {
    const { id: _, ...own } = payouts.find((one) => asUuid(one.id) === id) ?? { id }
    return markPayoutPaid(tx, { userId: by.id! }, account, id, { paidAt: startedAt, ...change, ...own })
  },
}

const sent = ({ config }: Install): Outcome => (config.smtpUrl ? 'done' : 'unsent')

const change = (
  { tx, install, by, account }: Acting,
  id: string,
  changed: Parameters<typeof changePartner>[4],
): Promise<unknown> => changePartner(tx, install, by, { account, as: 'owner', subjectId: id, partnerId: null }, changed)

/** Returns the name of a subject of the account; undefined if the account has none with this id. */
async function nameOf(tx: Transaction, { action, accountId }: RunningAction, id: string): Promise<string | undefined> {
  const subjects = subjectsOfAction[action]
  if (subjects === 'partners') return (await partnerNames(tx, [accountId], [id])).get(id)
  if (subjects === 'leads') return (await leadNames(tx, buildOwnerView([accountId]), [id])).get(id)
  if (subjects === 'sales') return nameOfSale(tx, accountId, id)
  if (subjects === 'cases') {
    const found = await tx.maybe<{ partnerId: string }>`
      select partner_id from fraud_cases where id = ${asUuid(id)} and account_id = ${accountId}`
    return found && (await partnerNames(tx, [accountId], [found.partnerId])).get(found.partnerId)
  }
  const payout = await tx.maybe<{ statementNumber: number; partnerId: string }>`
    select statement_number, partner_id from payouts where id = ${id} and account_id = ${accountId}`
  if (!payout) return undefined
  const partner = (await partnerNames(tx, [accountId], [payout.partnerId])).get(payout.partnerId)
  return `${payoutName(payout)} ${partner}`
}

async function nameOfSale(tx: Transaction, accountId: string, id: string): Promise<string | undefined> {
  const sale = await tx.maybe<{ amount: number; currency: string; saleDate: string }>`
    select amount, currency, sale_date from sales where id = ${asUuid(id)} and account_id = ${accountId}`
  return sale && `${moneyInWords(sale.amount, sale.currency)} on ${sale.saleDate}`
}

/**
 * Continues an action where it stopped: each of the many in its own transaction that also counts it, so that it is done
 * once, whenever the process dies. A turn takes a few seconds; then another job follows.
 */
export async function runBulkAction(
  services: Services,
  { accountId, bulkActionId }: { accountId: string; bulkActionId: string },
): Promise<void> {
  const { db, jobs, clock } = services
  const given = await findRunningAction(db, accountId, bulkActionId)
  if (!given) return
  const request = toRequest(given)
  const startAfter = new Date(Date.parse(given.createdAt) + getDelay(request) * 1000)
  if (startAfter > clock.now())
    return transaction(db, (tx) => jobs.add(tx, bulkActionQueue, { accountId, bulkActionId }, { startAfter }))
  const until = performance.now() + TURN_MS
  while (await transaction(db, (tx) => runNext(services, tx, given, request))) {
    if (performance.now() < until) continue
    return transaction(db, (tx) => jobs.add(tx, bulkActionQueue, { accountId, bulkActionId }))
  }
}

/** Returns the action as it was accepted: parsed then, it may be longer by now than what is accepted. */
const toRequest = ({ action, subjectIds, parameters, reason }: RunningAction) =>
  ({ action, ids: subjectIds, ...(parameters ?? { reason }) }) as NewBulkAction

/** Returns the seconds during which a cancellation undoes the whole action. */
const getDelay = (request: NewBulkAction) => (request.action === 'release-cases' ? (request.delaySeconds ?? 0) : 0)

/** Returns whether there may be more. */
async function runNext(
  { config, secrets, jobs, log }: Services,
  tx: Transaction,
  given: RunningAction,
  request: NewBulkAction,
): Promise<boolean> {
  const { accountId, action, subjectIds } = given
  const row = await lockProgress(tx, accountId, given.id)
  if (row?.state !== 'running') return false
  const account = (await getAccountFacts(tx, [accountId])).get(accountId)!
  const by = parseActor(given.createdBy)
  const id = subjectIds[row.done + row.refused]
  if (id === undefined || account.disabledAt || !(await isStillAllowed(tx, given, by))) {
    await saveProgress(tx, { ...row, state: id ? 'canceled' : 'done', finishedAt: tx.now.toISOString() })
    return false
  }
  const name = await nameOf(tx, given, id)
  // another server's clock may be ahead
  const startedAt = new Date(Math.min(Date.parse(given.createdAt), tx.now.getTime())).toISOString()
  const acting = { tx, install: { config, secrets }, jobs, by, account, startedAt }
  const act = actions[action] as (acting: Acting, id: string, request: NewBulkAction) => Promise<unknown>
  const outcome = await withSavepoint(tx, async () => {
    if (name === undefined) throw notFound()
    return act(acting, id, request)
  }).catch((error) => ({ refused: refusalOf(log, error) }))
  const refused = isRefused(outcome) && { id, name: name ?? null, error: rowError(outcome.refused) }
  if (refused) await saveProgress(tx, { ...row, refused: row.refused + 1 }, refused)
  else await saveProgress(tx, counted(row, outcome))
  return true
}

/** The action stops if the person has lost the right. */
const isStillAllowed = async (tx: Transaction, { accountId, action }: RunningAction, { type, id }: Author) =>
  type !== 'user' || isInTeam(tx, accountId, id!, rightOfAction[action])

/** A bug fails only its own, since the others must not wait for it. */
function refusalOf(log: Logger, error: unknown): Refusal {
  const refused = asRefusal(error)
  if (concernsAll(error) || refused?.code === 'unavailable') throw error
  if (!refused) log.error({ err: error }, 'one of a bulk action failed')
  return refused ?? refusal('row_failed')
}

const isRefused = (outcome: unknown): outcome is { refused: Refusal } =>
  typeof outcome === 'object' && outcome !== null && 'refused' in outcome

const counted = (row: BulkCounts, outcome: unknown): BulkCounts => ({
  ...row,
  done: row.done + 1,
  links: row.links + (outcome === 'link' ? 1 : 0),
  unsent: row.unsent + (outcome === 'unsent' ? 1 : 0),
})
