import type { AutoPayoutSettings, AutoPayoutSettingsChange } from '#contract/accounts.ts'
import { audit, byUser } from '../platform/audit.ts'
import type { Actor } from '../program/access/actor.ts'
import { type Database, type Queryable, transaction } from '../platform/database/pool.ts'
import type { AccountFacts } from '../program/access/access.ts'
import { Refusal, wrongField } from '../platform/refusal.ts'
import type { Services } from '../platform/services.ts'
import { type Profile, WiseError } from '../program/payouts/methods/wise/client.ts'
import { tokenPlace, wiseOf, wiseWith } from './methods/wise/connection.ts'
import { findPayoutAccount, lockPayoutAccount, type PayoutAccount } from '../program/payouts/terms.ts'

/** How payouts leave by themselves; of the token only its last four characters. */
export async function getAutoPayoutSettings(db: Queryable, account: AccountFacts): Promise<AutoPayoutSettings> {
  const known = await findPayoutAccount(db, account.id)
  return {
    enabled: known?.enabled ?? false,
    wiseProfile: known?.wiseProfile ?? null,
    wiseProfilesAvailable: known?.wiseProfiles ?? [],
    wiseTokenHint: known?.wiseTokenHint ?? null,
    wiseError: known?.wiseError ?? null,
    maxPerPayout: known?.maxPerPayout ?? null,
    maxPerRun: known?.maxPerRun ?? null,
  }
}

/**
 * Changes how payouts leave. A token, a profile or switching on asks Wise first which profiles the token sees.
 * Refuses: `validation_failed` for a token that Wise does not take, a profile it does not see, or none while enabled;
 * `provider_failed` while Wise does not answer.
 */
export async function changeAutoPayoutSettings(
  db: Database,
  services: Services,
  actor: Actor,
  account: AccountFacts,
  change: AutoPayoutSettingsChange,
): Promise<AutoPayoutSettings> {
  const before = await findPayoutAccount(db, account.id)
  const profiles = await askForProfiles(services, account.id, before, change)
  const [next, former] = await transaction(db, async (tx) => {
    const now = await lockPayoutAccount(tx, account.id)
    const next = nextSettings(services, account.id, now, change, profiles)
    await tx.run`
      update payout_accounts set enabled = ${next.enabled}, wise_token_sealed = ${next.wiseTokenSealed},
        wise_token_hint = ${next.wiseTokenHint}, wise_profile = nullif(${JSON.stringify(next.wiseProfile)}::jsonb, 'null'::jsonb),
        wise_profiles = ${JSON.stringify(next.wiseProfiles)}::jsonb, max_per_payout = ${next.maxPerPayout},
        max_per_run = ${next.maxPerRun}, wise_error = ${next.wiseError},
        wise_error_kind = case when ${next.wiseError}::text is not null then wise_error_kind end, updated_at = ${tx.now}
      where account_id = ${account.id}`
    // another token may be shown what the former was not
    if (profiles)
      await tx.run`
        update payouts set looks_refused = least(looks_refused, 1), look_after = null
        where account_id = ${account.id} and look_after is not null`
    const visible = (settings: PayoutAccount) => ({
      enabled: settings.enabled,
      wiseProfile: settings.wiseProfile?.id ?? null,
      wiseTokenHint: settings.wiseTokenHint,
      maxPerPayout: settings.maxPerPayout,
      maxPerRun: settings.maxPerRun,
    })
    await audit(
      tx,
      byUser(actor),
      account.id,
      'account.auto-payouts-changed',
      { type: 'account', id: account.id },
      {
        autoPayouts: { old: visible(now), new: visible(next) },
      },
    )
    return [next, now]
  })
  await keepSubscription(db, services, account.id, former, next)
  return getAutoPayoutSettings(db, account)
}

/** Which profiles the given token sees, else the stored one; null where the change needs no answer of Wise. */
async function askForProfiles(
  services: Services,
  accountId: string,
  before: PayoutAccount | undefined,
  change: AutoPayoutSettingsChange,
): Promise<Profile[] | null> {
  if (change.wiseToken === null) return null
  const asks = change.wiseToken !== undefined || Boolean(change.wiseProfileId) || change.enabled === true
  if (!asks) return null
  const wise = change.wiseToken ? wiseWith(services, change.wiseToken) : before && wiseOf(services, accountId, before)
  if (!wise) throw wrongField('wiseToken', 'Enter an API token')
  try {
    return await wise.profiles()
  } catch (error) {
    if (!(error instanceof WiseError)) throw error
    if (error.kind === 'unknown') throw wiseIsAway(error)
    throw wrongField('wiseToken', `Wise does not accept this token: ${error.message}`)
  }
}

export const wiseIsAway = (error: WiseError) =>
  new Refusal('provider_failed', 'There was an error loading your Wise profiles.', {
    details: { provider: 'wise', message: error.message },
  })

function nextSettings(
  services: Services,
  accountId: string,
  now: PayoutAccount,
  change: AutoPayoutSettingsChange,
  profiles: Profile[] | null,
): PayoutAccount {
  const forgets = change.wiseToken === null
  const next: PayoutAccount = {
    ...now,
    ...(change.enabled !== undefined && { enabled: change.enabled }),
    ...(change.maxPerPayout !== undefined && { maxPerPayout: change.maxPerPayout }),
    ...(change.maxPerRun !== undefined && { maxPerRun: change.maxPerRun }),
  }
  if (forgets) {
    if (change.enabled) throw wrongField('wiseToken', 'Automatic payouts need an API token')
    Object.assign(next, {
      enabled: false,
      wiseTokenSealed: null,
      wiseTokenHint: null,
      wiseProfile: null,
      wiseProfiles: [],
    })
    return { ...next, wiseError: null }
  }
  if (change.wiseToken) {
    next.wiseTokenSealed = services.secrets.seal(change.wiseToken, tokenPlace(accountId))
    next.wiseTokenHint = change.wiseToken.slice(-4)
  }
  if (profiles) {
    next.wiseProfiles = profiles
    next.wiseError = null
    next.wiseProfile = profiles.find((profile) => profile.id === now.wiseProfile?.id) ?? null
  }
  if (change.wiseProfileId) {
    next.wiseProfile = profiles!.find((profile) => profile.id === change.wiseProfileId) ?? null
    if (!next.wiseProfile) throw wrongField('wiseProfileId', 'This token does not see this profile')
  }
  if (change.wiseProfileId === null) next.wiseProfile = null
  if (next.enabled && !next.wiseProfile) {
    if (change.enabled === undefined) next.enabled = false
    else throw wrongField('wiseProfileId', 'Choose a profile')
  }
  return next
}

/**
 * With a public https address Wise tells us of every change of a transfer. Only a hint beside the poll: where it cannot
 * be had, payouts go on without.
 */
async function keepSubscription(
  db: Database,
  services: Services,
  accountId: string,
  former: PayoutAccount,
  next: PayoutAccount,
) {
  const moved = former.wiseProfile?.id !== next.wiseProfile?.id
  const { appUrl } = services.config
  try {
    if (moved && former.wiseSubscriptionId && former.wiseProfile) {
      await db.run`update payout_accounts set wise_subscription_id = null where account_id = ${accountId}`
      await wiseOf(services, accountId, former)?.unsubscribe(former.wiseProfile.id, former.wiseSubscriptionId)
    }
  } catch (error) {
    if (!(error instanceof WiseError)) throw error
    services.log.info({ accountId, status: error.status }, 'a former Wise subscription was left in place')
  }
  const wanted = next.wiseProfile && appUrl.startsWith('https://') && (moved || !former.wiseSubscriptionId)
  if (!wanted) return
  try {
    const id = await wiseOf(services, accountId, next)!.subscribe(next.wiseProfile!.id, `${appUrl}/hooks/wise`)
    await db.run`update payout_accounts set wise_subscription_id = ${id} where account_id = ${accountId}`
  } catch (error) {
    if (!(error instanceof WiseError)) throw error
    services.log.warn({ accountId, status: error.status }, 'Wise gives no events; transfers are polled')
  }
}

/** The profiles a token sees; the token is neither kept nor logged. Refuses: `unauthenticated` where Wise does. */
export async function listWiseProfiles(services: Services, authorization: string): Promise<{ items: Profile[] }> {
  const [, token] = /^wise:\s*([\x21-\x7e]{1,500})$/i.exec(authorization) ?? []
  if (!token) throw new Refusal('unauthenticated', 'Send the API token as `Authorization: wise:{token}`.')
  try {
    return { items: await wiseWith(services, token).profiles() }
  } catch (error) {
    if (!(error instanceof WiseError)) throw error
    if (error.kind === 'unauthorized' || error.kind === 'forbidden')
      throw new Refusal('unauthenticated', 'Wise does not accept this API token.')
    throw wiseIsAway(error)
  }
}
