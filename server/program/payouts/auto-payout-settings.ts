import type { AutoPayoutSettings, AutoPayoutSettingsChange } from '#contract/payout-settings.ts'
import { byUser, changesOf } from '../../platform/author.ts'
import { type Queryable, type Transaction, transaction } from '../../platform/database/pool.ts'
import { recorded } from '../../platform/events/happened.ts'
import { refusal } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import type { Actor } from '../access/actor.ts'
import { isFresh } from '../access/actor.ts'
import { type ChangedConnection, changeConnection, keepSubscriptions, readProfiles } from './connect.ts'
import { findConnection } from './connections.ts'
import { lookAgain } from './looks.ts'
import { type Connection, ProviderError } from './methods/method.ts'
import { findPayoutAccount, lockPayoutAccount, type PayoutAccount } from './payout-terms.ts'
import { agree, forgetAgreement } from './reconciliation/agreement.ts'
import { connecting } from './ways.ts'

/** Returns the settings of automatic payouts. */
export async function getAutoPayoutSettings(db: Queryable, account: AccountFacts): Promise<AutoPayoutSettings> {
  const known = await findPayoutAccount(db, account.id)
  const trouble = known?.troubleWith === connecting.name ? known.trouble : null
  return { ...automatic(known), ...connecting.settings.present(await findConnection(db, account.id), trouble) }
}

type Automatic = ReturnType<typeof automatic>

const automatic = (known: Partial<PayoutAccount> = {}) => ({
  enabled: known.enabled ?? false,
  maxPerPayout: known.maxPerPayout ?? null,
  maxPerRun: known.maxPerRun ?? null,
})

/**
 * Changes how automatic payouts are sent: through the account's connection, once it is complete. Its provider is asked
 * first.
 * Refuses: `recent_sign_in_required` for changes that permit more payouts, without a password proved within ten
 * minutes; `validation_failed` for values that the provider rejects, and for automatic payouts without a complete
 * connection; `provider_failed` while a provider that must be asked does not respond.
 */
export async function changeAutoPayoutSettings(
  services: Services,
  actor: Actor,
  account: AccountFacts,
  change: AutoPayoutSettingsChange,
): Promise<AutoPayoutSettings> {
  const { db } = services
  refuseLoosening(actor, db.now, { ...automatic(await findPayoutAccount(db, account.id)), change })
  const profiles = await readProfiles(services, account.id, change)
  const connection = await transaction(db, async (tx) => {
    const now = await lockPayoutAccount(tx, account.id)
    const connection = await changeConnection(tx, services, account.id, { change, profiles })
    refuseLoosening(actor, tx.now, { ...automatic(now), change })
    await save(tx, actor, account, { now, change, connection })
    return connection
  })
  await keepSubscriptions(services, account.id, connection)
  // at once, so that an approval need not wait for it; if it fails, the clock tries next
  if (connection.clears && !connection.missing)
    await agree(services, account, connecting).catch((error: unknown) => {
      if (!(error instanceof ProviderError)) throw error
    })
  return getAutoPayoutSettings(db, account)
}

/** Requires a fresh password for raising a ceiling, since otherwise an intruder stopped by it could lift it. */
function refuseLoosening(actor: Actor, at: Date, { change, ...now }: Automatic & { change: AutoPayoutSettingsChange }) {
  const isRaised = (before: number | null, next: number | null | undefined) =>
    next !== undefined && before !== null && (next === null || next > before)
  const loosens =
    isRaised(now.maxPerPayout, change.maxPerPayout) ||
    isRaised(now.maxPerRun, change.maxPerRun) ||
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
  const { enabled = now.enabled, maxPerPayout = now.maxPerPayout, maxPerRun = now.maxPerRun } = change
  const { former, next, missing, clears } = connection
  if (change.enabled && missing) throw missing
  const saved = { enabled: enabled && !missing, maxPerPayout, maxPerRun }
  await tx.run`
    update payout_accounts set method = ${missing ? 'manual' : connecting.name}, enabled = ${saved.enabled},
      max_per_payout = ${maxPerPayout}, max_per_run = ${maxPerRun}, updated_at = ${tx.now}
    where account_id = ${account.id}`
  if (clears) {
    await forgetTrouble(tx, account.id)
    await forgetAgreement(tx, account.id)
  }
  const visible = (auto: Automatic, shown: Connection) => ({
    autoPayoutsEnabled: auto.enabled,
    maxPerPayout: auto.maxPerPayout,
    maxPerRun: auto.maxPerRun,
    ...connecting.settings.audited(shown),
  })
  await recorded(tx, byUser(actor), account.id, 'account.auto-payouts-updated', {
    id: account.id,
    changes: changesOf(visible(now, former), visible(saved, next)),
  })
}

/** Clears recorded trouble: a new connection may be accepted where the former was not, and see other things. */
async function forgetTrouble(tx: Transaction, accountId: string) {
  await tx.run`
    update payout_accounts set trouble = null, trouble_kind = null, trouble_with = null
    where account_id = ${accountId} and trouble_with = ${connecting.name}`
  await lookAgain(tx, accountId, connecting.name)
}
