import type { AutoPayoutSettingsChange } from '#contract/payouts.ts'
import type { Queryable, Transaction } from '../../../../platform/database/pool.ts'
import type { Secrets } from '../../../../platform/database/secrets.ts'
import { refusal, wrongField } from '../../../../platform/refusal.ts'
import type { Services } from '../../../../platform/services.ts'
import type { AccountFacts } from '../../../access/account-facts.ts'
import { GONE, type MethodSettings, type SettingsOutcome } from '../method.ts'
import { type Profile, WiseError } from './client.ts'
import { type Connection, findConnection, notConnected, tokenPlace, wiseOf, wiseWith } from './connection.ts'
import { keepSubscription } from './subscription.ts'

/**
 * Changing the token or profile, or enabling payouts, first reads the token's profiles from Wise; only the token's last
 * characters are shown.
 */
export const settings: MethodSettings = { present, connects: ({ wiseToken }) => Boolean(wiseToken), prepare }

async function present(db: Queryable, accountId: string, trouble: string | null) {
  const { profile, profiles, tokenHint } = await findConnection(db, accountId)
  return { wiseProfile: profile, wiseProfilesAvailable: profiles, wiseTokenHint: tokenHint, wiseError: trouble }
}

/**
 * Refuses: `validation_failed` for a token that Wise rejects or a profile it cannot access; `provider_failed` while
 * Wise does not respond.
 */
async function prepare(services: Services, account: AccountFacts, change: AutoPayoutSettingsChange) {
  const profiles = await askForProfiles(services, account.id, change)
  return (tx: Transaction) => apply(tx, services, account, { change, profiles })
}

/** Returns the profiles of the given token, else of the stored one; null if the change does not depend on Wise. */
async function askForProfiles(
  services: Services,
  accountId: string,
  { wiseToken, wiseProfileId, enabled }: AutoPayoutSettingsChange,
): Promise<Profile[] | null> {
  if (wiseToken === null) return null
  if (wiseToken === undefined && !wiseProfileId && enabled !== true) return null
  const wise = wiseToken
    ? wiseWith(services, wiseToken)
    : wiseOf(services, accountId, await findConnection(services.db, accountId))
  if (!wise && wiseProfileId) throw noToken()
  if (!wise) return null
  try {
    return await wise.profiles()
  } catch (error) {
    if (!(error instanceof WiseError)) throw error
    if (error.kind === 'unknown') throw wiseIsAway(error)
    if (error.status === GONE) throw refusal('wise_not_served', { said: error.message })
    throw wrongField('wiseToken', 'wise_token_refused', { said: error.message })
  }
}

const noToken = () => wrongField('wiseToken', 'wise_token_missing')

export const wiseIsAway = (error: WiseError) =>
  refusal('wise_away', {
    details: { provider: 'wise', message: error.message },
  })

async function apply(
  tx: Transaction,
  services: Services,
  { id: accountId }: AccountFacts,
  { change, profiles }: { change: AutoPayoutSettingsChange; profiles: Profile[] | null },
): Promise<SettingsOutcome> {
  const former = await findConnection(tx, accountId)
  const next = nextConnection(services.secrets, accountId, former, { change, profiles })
  if (next !== former) await saveConnection(tx, accountId, next)
  const { wiseToken } = change
  const tokenMissing = wiseToken === null ? wrongField('wiseToken', 'wise_token_needed') : noToken()
  return {
    missing: !next.tokenSealed
      ? tokenMissing
      : next.profile
        ? null
        : wrongField('wiseProfileId', 'wise_profile_missing'),
    clears: profiles !== null || wiseToken === null,
    audited: { old: visible(former), new: visible(next) },
    afterwards: () => keepSubscription(services, accountId, former, next),
  }
}

const visible = ({ profile, tokenHint }: Connection) => ({
  wiseProfile: profile?.id ?? null,
  wiseTokenHint: tokenHint,
})

function nextConnection(
  secrets: Secrets,
  accountId: string,
  former: Connection,
  { change, profiles }: { change: AutoPayoutSettingsChange; profiles: Profile[] | null },
): Connection {
  if (change.wiseToken === null) return { ...notConnected, subscriptionIds: former.subscriptionIds }
  if (!profiles && change.wiseProfileId === undefined) return former
  const next = { ...former }
  if (change.wiseToken) {
    next.tokenSealed = secrets.seal(change.wiseToken, tokenPlace(accountId))
    next.tokenHint = change.wiseToken.slice(-4)
  }
  if (profiles) {
    next.profiles = profiles
    next.profile = profiles.find((profile) => profile.id === former.profile?.id) ?? null
  }
  if (change.wiseProfileId) {
    next.profile = profiles!.find((profile) => profile.id === change.wiseProfileId) ?? null
    if (!next.profile) throw wrongField('wiseProfileId', 'wise_profile_out_of_reach')
  }
  if (change.wiseProfileId === null) next.profile = null
  return next
}

const saveConnection = (
  tx: Transaction,
  accountId: string,
  { tokenSealed, tokenHint, profile, profiles }: Connection,
) =>
  tx.run`
    insert into wise_accounts as w (account_id, token_sealed, token_hint, profile, profiles, updated_at)
    values (${accountId}, ${tokenSealed}, ${tokenHint}, nullif(${JSON.stringify(profile)}::jsonb, 'null'::jsonb),
      ${JSON.stringify(profiles)}::jsonb, ${tx.now})
    on conflict (account_id) do update set token_sealed = excluded.token_sealed, token_hint = excluded.token_hint,
      profile = excluded.profile, profiles = excluded.profiles, updated_at = excluded.updated_at`
