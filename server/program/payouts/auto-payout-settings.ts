import type { AutoPayoutSettings, AutoPayoutSettingsChange } from '#contract/payout-settings.ts'
import { diffFields, userAuthor } from '../../platform/author.ts'
import { type Queryable, type Transaction, transaction } from '../../platform/database/pool.ts'
import { recordActivity, sendSignal } from '../../platform/events/emit-event.ts'
import { refusal, wrongField } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import type { Actor } from '../access/actor.ts'
import { isFresh } from '../access/actor.ts'
import { settleEarlierPaydays } from '../access/each-night.ts'
import { listPayers } from '../access/payers.ts'
import { type ChangedConnection, changePayoutConnection, readProfiles, renewSubscriptions } from './connect.ts'
import { findConnection } from './connections.ts'
import {
  isHigher,
  type LimitsNow,
  lockLimits,
  oneIsEnough,
  type PayoutLimits,
  saveLimits,
  wantedLimits,
} from './limits.ts'
import { type AutomaticSettings, type Connection, ProviderError } from './methods/method.ts'
import { connecting } from './methods/registry.ts'
import { findPayoutAccount, lockPayoutAccount, orderWith, type PayoutAccount, runTaskName } from './payout-terms.ts'
import { reconcileTransfers, resetReconciliation } from './reconciliation/reconcile-transfers.ts'
import { approvalsLoosened } from './signals.ts'
import { resetCheckBackoff } from './status-checks.ts'

/** Returns the settings of automatic payouts. */
export async function getAutoPayoutSettings(db: Queryable, account: AccountFacts): Promise<AutoPayoutSettings> {
  const known = await findPayoutAccount(db, account.id)
  const trouble = known?.troubleWith === connecting.name ? known.trouble : null
  return { ...automatic(known), ...connecting.settings.present(await findConnection(db, account.id), trouble) }
}

const automatic = (known: Partial<PayoutAccount> = {}): AutomaticSettings =>
  presented(known, known.limits ?? oneIsEnough(null))

const presented = (
  { enabled = false, maxPerRun = null }: Partial<Pick<AutomaticSettings, 'enabled' | 'maxPerRun'>>,
  { maxPerPayout, approvals, pending }: LimitsNow,
): AutomaticSettings => ({
  enabled,
  maxPerPayout,
  maxPerRun,
  approvalsAboveCeiling: approvals,
  pendingChange: pending && {
    maxPerPayout: pending.maxPerPayout,
    approvalsAboveCeiling: pending.approvals,
    inForceAt: pending.inForceAt,
  },
})

/**
 * Changes how automatic payouts are sent: through the account's connection, once it is complete. Its provider is asked
 * first. While two people approve above the ceiling, what loosens that comes into force 72 hours later, and those who
 * may pay are mailed.
 * Refuses: `recent_sign_in_required` for changes that permit more payouts, or of how many approve, without a password
 * proved within ten minutes; `ceiling_missing` and `second_person_missing` for two without a ceiling or two people;
 * `validation_failed` for values that the provider rejects, and for automatic payouts without a complete connection;
 * `provider_failed` while a provider that must be asked does not respond.
 */
export async function changeAutoPayoutSettings(
  services: Services,
  actor: Actor,
  account: AccountFacts,
  change: AutoPayoutSettingsChange,
): Promise<AutoPayoutSettings> {
  const { db } = services
  refuseLoosening(actor, db.now, await findPayoutAccount(db, account.id), change)
  const profiles = await readProfiles(services, account.id, change)
  const connection = await transaction(db, async (tx) => {
    await lockLimits(tx, account.id)
    // before the payout account's lock, like a run
    if (change.enabled && !(await findPayoutAccount(tx, account.id))?.enabled)
      await settleEarlierPaydays(tx, account, runTaskName(connecting.name))
    const now = await lockPayoutAccount(tx, account.id)
    const connection = await changePayoutConnection(tx, services, account.id, { change, profiles })
    refuseLoosening(actor, tx.now, now, change)
    await save(tx, actor, account, { now, change, connection })
    return connection
  })
  await renewSubscriptions(services, account.id, connection)
  // at once, so that an approval need not wait for it; if it fails, the clock tries next
  if (connection.clears && !connection.missing)
    await reconcileTransfers(services, account).catch((error: unknown) => {
      if (!(error instanceof ProviderError)) throw error
    })
  return getAutoPayoutSettings(db, account)
}

/**
 * Requires a fresh password to raise a ceiling, since otherwise an intruder stopped by it could raise it, and to change
 * how many people approve above it.
 */
function refuseLoosening(
  actor: Actor,
  at: Date,
  { limits = oneIsEnough(null), ...known }: Partial<PayoutAccount> = {},
  change: AutoPayoutSettingsChange,
) {
  const now = automatic({ ...known, limits })
  const isRaised = (before: number | null, next: number | null | undefined) =>
    next !== undefined && isHigher(next, before)
  const { approvals } = wantedLimits(limits, change)
  const loosens =
    isRaised(now.maxPerPayout, change.maxPerPayout) ||
    isRaised(now.maxPerRun, change.maxPerRun) ||
    (approvals !== now.approvalsAboveCeiling && approvals !== now.pendingChange?.approvalsAboveCeiling) ||
    (change.enabled && !now.enabled) ||
    connecting.settings.given(change).token
  if (loosens && !isFresh(actor, at)) throw refusal('loosening_payouts')
}

async function save(
  tx: Transaction,
  actor: Actor,
  account: AccountFacts,
  { now, change, connection }: { now: PayoutAccount; change: AutoPayoutSettingsChange; connection: ChangedConnection },
) {
  const { enabled = now.enabled, maxPerRun = now.maxPerRun } = change
  const { former, next, missing, clears } = connection
  if (change.enabled && missing) throw missing
  const wanted = wantedLimits(now.limits, change)
  await refuseTwo(tx, account, now.limits, wanted)
  const { next: limits, loosens } = await saveLimits(tx, account.id, now.limits, wanted)
  const saved = presented({ enabled: enabled && !missing, maxPerRun }, limits)
  await tx.run`
    update payout_accounts set methods = ${orderWith(now.methods, connecting.name, !missing)}, enabled = ${saved.enabled},
      max_per_payout = ${saved.maxPerPayout}, max_per_run = ${maxPerRun}, updated_at = ${tx.now}
    where account_id = ${account.id}`
  if (clears) {
    await resetTrouble(tx, account.id)
    await resetReconciliation(tx, account.id)
  }
  const visible = (auto: AutomaticSettings, shown: Connection) => ({
    autoPayoutsEnabled: auto.enabled,
    maxPerPayout: auto.maxPerPayout,
    maxPerRun: auto.maxPerRun,
    approvalsAboveCeiling: auto.approvalsAboveCeiling,
    pendingChange: auto.pendingChange,
    ...connecting.settings.audited(shown),
  })
  await recordActivity(tx, userAuthor(actor), account.id, 'account.auto-payouts-updated', {
    id: account.id,
    changes: diffFields(visible(automatic(now), former), visible(saved, next)),
  })
  if (loosens)
    for (const { userId } of await listPayers(tx, account.id))
      await sendSignal(tx, account.id, approvalsLoosened, {
        userId,
        byUserId: actor.userId,
        inForceAt: limits.pending!.inForceAt,
      })
}

/** Refuses two approvals without a ceiling, or without two people who may pay. */
async function refuseTwo(tx: Transaction, account: AccountFacts, now: LimitsNow, wanted: PayoutLimits) {
  if (wanted.approvals === 1) return
  if (wanted.maxPerPayout === null) throw wrongField('approvalsAboveCeiling', 'ceiling_missing')
  if (now.approvals === 1 && (await listPayers(tx, account.id)).length < 2) throw refusal('second_person_missing')
}

/** Clears recorded trouble: a new connection may be accepted, and have access to different transfers. */
async function resetTrouble(tx: Transaction, accountId: string) {
  await tx.run`
    update payout_accounts set trouble = null, trouble_kind = null, trouble_with = null
    where account_id = ${accountId} and trouble_with = ${connecting.name}`
  await resetCheckBackoff(tx, accountId, connecting.name)
}
