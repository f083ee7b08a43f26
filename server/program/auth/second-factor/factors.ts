import type { Passkey, SecondFactor, SecondFactorMethod } from '#contract/second-factor.ts'
import { type Author, system, userAuthor } from '../../../platform/author.ts'
import type { Config } from '../../../platform/config/config.ts'
import { type Database, type Queryable, type Transaction, transaction } from '../../../platform/database/pool.ts'
import { sql } from '../../../platform/database/sql.ts'
import { recordActivity, sendSignal } from '../../../platform/events/emit-event.ts'
import type { RequestDomain } from '../../../platform/http/request-domain.ts'
import { refusal } from '../../../platform/refusal.ts'
import type { Install } from '../../../platform/services.ts'
import { factorReach } from '../../access/access.ts'
import { type Actor, countsWithin } from '../../access/actor.ts'
import { endSessions, isAlive } from '../sessions.ts'
import { secondFactorChanged } from '../signals.ts'
import { deleteTokens } from '../user-tokens.ts'
import { lockUser } from '../users.ts'
import { dropCodes, renewCodes } from './recovery-codes.ts'
import { relyingParty } from './relying-party.ts'

/** A person's factors beside their password. */
type Factors = { hasTotp: boolean; passkeys: number; passkeysHere: number; recoveryCodesLeft: number }

export async function getFactors(
  db: Queryable,
  config: Config,
  userId: string,
  ownHost?: RequestDomain | undefined,
): Promise<Factors> {
  return db.one<Factors>`
    select t.totp_sealed is not null as has_totp, coalesce(cardinality(t.recovery_codes), 0) as recovery_codes_left,
      (select count(*) from passkeys p where p.user_id = u.id) as passkeys,
      (select count(*) from passkeys p where p.user_id = u.id and p.rp_id = ${relyingParty(config, ownHost)?.id ?? null}) as passkeys_here
    from users u left join totp_and_codes t on t.user_id = u.id
    where u.id = ${userId}`
}

/** Whether the person has a second factor; a sign-in by their password then needs it too. */
export const hasFactor = ({ hasTotp, passkeys }: Factors) => hasTotp || passkeys > 0

/** Refuses a sign-in without the second factor, with the ways to prove it that work here. */
export function factorRequired({ hasTotp, passkeysHere, recoveryCodesLeft }: Factors) {
  const methods: SecondFactorMethod[] = [
    ...(hasTotp ? (['totp'] as const) : []),
    ...(recoveryCodesLeft > 0 ? (['recovery-code'] as const) : []),
    ...(passkeysHere > 0 ? (['passkey'] as const) : []),
  ]
  return refusal(hasTotp ? 'second_factor_required' : 'passkey_required', { details: { methods } })
}

type Change = { change: 'added' | 'removed'; method: 'totp' | 'passkey' }

/**
 * Adds or removes a factor by `write`, in a session that is alive. The first factor brings recovery codes, which are
 * returned; it and the end of the last one end all other sessions and access tokens.
 * Refuses: `token_expired` in a session that has ended; `invalid_state` for the last factor while it is required.
 */
export async function changeFactors(
  tx: Transaction,
  { config }: Install,
  actor: Actor,
  { change, method }: Change,
  write: () => Promise<unknown>,
): Promise<string[] | null> {
  const { userId, sessionId } = actor
  const by = userAuthor(actor)
  await lockUser(tx, userId)
  if (!(await isAlive(tx, sessionId))) throw refusal('session_ended')
  const had = hasFactor(await getFactors(tx, config, userId))
  await write()
  const has = hasFactor(await getFactors(tx, config, userId))
  if (had && !has) {
    const requiring = await requiredBy(tx, config, { userId })
    // a factor that this session may not see is not named to it
    const named = actor.onlyAccountId ? await requiredBy(tx, config, actor) : requiring
    const accounts = named.length > 0 ? named : [hostOf(config)]
    if (requiring.length > 0)
      throw refusal('second_factor_required_here', { accounts: accounts.join(', ') }, { details: { by: accounts } })
    await dropCodes(tx, userId)
  }
  if (had !== has) {
    await endSessions(tx, userId, sessionId)
    await deleteTokens(tx, by, userId)
    await tx.run`update sessions set second_factor = ${has} or method = 'oidc' where id = ${sessionId}`
  }
  const changes = { method: change === 'added' ? { old: null, new: method } : { old: method, new: null } }
  await recordActivity(tx, by, null, `second-factor.${change}`, { id: userId, changes })
  await sendSignal(tx, null, secondFactorChanged, { userId, change, method })
  return !had && has ? renewCodes(tx, userId) : null
}

/**
 * Removes all factors of a person who has lost them, and ends their sessions and access tokens. Returns whether they
 * had any.
 */
export const resetFactors = (db: Database, { config }: Install, email: string): Promise<boolean | undefined> =>
  transaction(db, async (tx) => {
    const user = await tx.maybe<{ id: string }>`select id from users where email = ${email} for no key update`
    if (!user) return undefined
    if (!hasFactor(await getFactors(tx, config, user.id))) return false
    await tx.run`delete from totp_and_codes where user_id = ${user.id}`
    await tx.run`delete from passkeys where user_id = ${user.id}`
    await endSessions(tx, user.id)
    await deleteTokens(tx, system, user.id)
    await recordActivity(tx, system, null, 'second-factor.reset', { id: user.id })
    await sendSignal(tx, null, secondFactorChanged, { userId: user.id, change: 'reset', method: null })
    return true
  })

/**
 * Names what requires a second factor of this person: the install by its host, for administrators and for roles that
 * its setting covers, and accounts by their display name.
 */
export async function requiredBy(
  db: Queryable,
  config: Config,
  { userId, onlyAccountId = null }: { userId: string; onlyAccountId?: string | null },
): Promise<string[]> {
  const { requireSecondFactor: install } = config
  const isTeam = sql`r.type like 'account-%'`
  const { admin, team, partner } = factorReach
  const { byInstall, accounts } = await db.one<{ byInstall: boolean; accounts: string[] }>`
    select coalesce(bool_or(case when r.type = 'admin' then ${admin.includes(install)}::boolean when ${isTeam}
        then ${team.includes(install)}::boolean else ${partner.includes(install)}::boolean end), false) as by_install,
      coalesce(array_agg(distinct coalesce(nullif(a.name, ''), o.email, '(Anonymous account)'))
        filter (where a.require_second_factor = any(case when ${isTeam} then ${team}::text[] else ${partner}::text[] end)), '{}') as accounts
    from user_roles r left join accounts a on a.id = r.account_id left join users o on o.id = a.owner_id
    where r.user_id = ${userId} and ${countsWithin(sql`${onlyAccountId}::uuid`)}`
  return [...(byInstall ? [hostOf(config)] : []), ...accounts]
}

const hostOf = ({ appUrl }: Pick<Config, 'appUrl'>) => new URL(appUrl).host

export async function getSecondFactor(db: Queryable, { config }: Install, actor: Actor): Promise<SecondFactor> {
  const { userId } = actor
  const { recoveryCodesLeft } = await getFactors(db, config, userId)
  const totp = await db.maybe<{ createdAt: string }>`
    select totp_created_at as created_at from totp_and_codes where user_id = ${userId} and totp_sealed is not null`
  const passkeys = await db.many<Passkey>`
    select id, name, created_at, last_used_at from passkeys where user_id = ${userId} order by created_at, id`
  return {
    totp: totp ?? null,
    passkeys,
    recoveryCodesLeft,
    requiredBy: await requiredBy(db, config, actor),
  }
}

/** Replaces a person's recovery codes. Refuses: `invalid_state` without one. */
export async function renewRecoveryCodes(tx: Transaction, { config }: Install, by: Author, userId: string) {
  await lockUser(tx, userId)
  if (!hasFactor(await getFactors(tx, config, userId))) throw refusal('second_factor_first')
  const codes = await renewCodes(tx, userId)
  await recordActivity(tx, by, null, 'recovery-codes.renewed', { id: userId })
  await sendSignal(tx, null, secondFactorChanged, { userId, change: 'codes', method: null })
  return codes
}
