import type { AutoPayoutSettings, AutoPayoutSettingsChange } from '#contract/payout-settings.ts'
import { byUser, changesOf } from '../../platform/author.ts'
import { type Queryable, type Transaction, transaction } from '../../platform/database/pool.ts'
import { recorded } from '../../platform/events/happened.ts'
import { refusal } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import type { Actor } from '../access/actor.ts'
import { isFresh } from '../access/actor.ts'
import { applyChange, type Connected, keepSubscriptions, readProfiles } from './connect.ts'
import { findConnection } from './connections.ts'
import { lookAgain } from './looks.ts'
import { type Method, type Profile, ProviderError } from './methods/method.ts'
import { findPayoutAccount, lockPayoutAccount, type PayoutAccount } from './payout-terms.ts'
import { agree, forgetAgreement } from './reconciliation/agreement.ts'
import { isCarrying, isConnecting, methods } from './ways.ts'

/** Returns the settings of automatic payouts; each method adds its own fields of the contract. */
export async function getAutoPayoutSettings(db: Queryable, account: AccountFacts): Promise<AutoPayoutSettings> {
  const known = await findPayoutAccount(db, account.id)
  const connection = await findConnection(db, account.id)
  const parts = methods.map(({ name, settings }) =>
    settings?.present(connection, known?.troubleWith === name ? known.trouble : null),
  )
  return Object.assign({ ...automatic(known) }, ...parts)
}

type Automatic = ReturnType<typeof automatic>

const automatic = (known: Partial<PayoutAccount> = {}) => ({
  enabled: known.enabled ?? false,
  maxPerPayout: known.maxPerPayout ?? null,
  maxPerRun: known.maxPerRun ?? null,
})

type Applied = { method: Method; outcome: Connected | null }

/**
 * Changes how automatic payouts are sent: by the first method that is ready. Each method makes its external checks
 * first.
 * Refuses: `recent_sign_in_required` for changes that permit more payouts, without a password proved within ten
 * minutes; `validation_failed` for values that a method rejects, and for automatic payouts while no method with a
 * carrier is ready; `provider_failed` while a provider that must be asked does not respond.
 */
export async function changeAutoPayoutSettings(
  services: Services,
  actor: Actor,
  account: AccountFacts,
  change: AutoPayoutSettingsChange,
): Promise<AutoPayoutSettings> {
  const { db } = services
  refuseLoosening(actor, db.now, { ...automatic(await findPayoutAccount(db, account.id)), change })
  const read = new Map<Method, Profile[] | null>()
  for (const method of methods.filter(isConnecting))
    read.set(method, await readProfiles(services, account.id, method, change))
  const applied = await transaction(db, async (tx) => {
    const now = await lockPayoutAccount(tx, account.id)
    const applied: Applied[] = []
    for (const method of methods) {
      const asked = { change, profiles: read.get(method) ?? null }
      const outcome = isConnecting(method) ? await applyChange(tx, services, account.id, method, asked) : null
      applied.push({ method, outcome })
    }
    refuseLoosening(actor, tx.now, { ...automatic(now), change })
    await save(tx, actor, account, { now, change, applied })
    return applied
  })
  for (const { method, outcome } of applied) {
    if (outcome && isConnecting(method)) await keepSubscriptions(services, account.id, method, outcome)
    // at once, so that an approval need not wait for it; if it fails, the clock tries next
    if (outcome?.clears && !outcome.missing && isCarrying(method))
      await agree(services, account, method).catch((error: unknown) => {
        if (!(error instanceof ProviderError)) throw error
      })
  }
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
    methods.some(({ settings }) => settings?.given(change).token)
  if (loosens && !isFresh(actor, at)) throw refusal('loosening_payouts')
}

async function save(
  tx: Transaction,
  actor: Actor,
  account: AccountFacts,
  { now, change, applied }: { now: PayoutAccount; change: AutoPayoutSettingsChange; applied: Applied[] },
) {
  const { method } = applied.find(({ outcome }) => !outcome?.missing)!
  const { enabled: asked, maxPerPayout = now.maxPerPayout, maxPerRun = now.maxPerRun } = change
  const missing = applied.find(({ outcome }) => outcome?.missing)?.outcome?.missing
  if (asked && !method.carrier) throw missing
  const next = { enabled: Boolean((asked ?? now.enabled) && method.carrier), maxPerPayout, maxPerRun }
  const answered = applied.filter(({ outcome }) => outcome?.clears).map((one) => one.method.name)
  await tx.run`
    update payout_accounts set method = ${method.name}, enabled = ${next.enabled}, max_per_payout = ${maxPerPayout},
      max_per_run = ${maxPerRun}, updated_at = ${tx.now}
    where account_id = ${account.id}`
  if (answered.length > 0) {
    await forgetTrouble(tx, account.id, answered)
    await forgetAgreement(tx, account.id)
  }
  const visible = ({ enabled, maxPerPayout, maxPerRun }: typeof next, which: 'old' | 'new') => ({
    autoPayoutsEnabled: enabled,
    maxPerPayout,
    maxPerRun,
    ...Object.assign(
      {},
      ...applied.map(
        ({ method, outcome }) => outcome && method.settings?.audited(which === 'old' ? outcome.former : outcome.next),
      ),
    ),
  })
  await recorded(tx, byUser(actor), account.id, 'account.auto-payouts-updated', {
    id: account.id,
    changes: changesOf(visible(now, 'old'), visible(next, 'new')),
  })
}

/** Clears recorded trouble: a new connection may be accepted where the former was not, and see other things. */
async function forgetTrouble(tx: Transaction, accountId: string, names: string[]) {
  await tx.run`
    update payout_accounts set trouble = null, trouble_kind = null, trouble_with = null
    where account_id = ${accountId} and trouble_with = any(${names}::text[])`
  await lookAgain(tx, accountId, names)
}
