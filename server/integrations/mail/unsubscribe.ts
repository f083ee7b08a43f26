import type { Role } from '#contract/auth.ts'
import type { MailPreference, MailSubscription } from '#contract/mail.ts'
import { mailGroupWords } from '#contract/mail-group-words.ts'
import { type MailGroup, type MailReader, mailGroups, optionalMailGroups } from '#contract/mail-groups.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { openIfOurs, type Secrets } from '../../platform/database/secrets.ts'
import { refusal } from '../../platform/refusal.ts'
import { findMailPreferences, setMailPreference } from '../../program/auth/me.ts'
import { usersById } from '../../program/auth/users.ts'

/** Sealing context of the token. */
const PLACE = 'mail|unsubscribe'

type Choice = { userId: string; group: MailGroup }

/** Returns the address for turning a group of mails off; null if that is not possible. */
export async function unsubscribeUrlFor(
  { db, secrets }: { db: Queryable; secrets: Secrets },
  origin: string,
  group: MailGroup,
  userId: string | undefined,
): Promise<string | 'turned off' | null> {
  if (!userId || !optionalMailGroups.includes(group)) return null
  const preferences = await findMailPreferences(db, userId)
  if (preferences?.[group] === false) return 'turned off'
  return unsubscribeUrl(origin, secrets, { userId, group })
}

/** Returns the address of exactly this choice. */
export const unsubscribeUrl = (origin: string, secrets: Secrets, { userId, group }: Choice) =>
  `${origin}/mail/unsubscribe/${secrets.seal(`${group} ${userId}`, PLACE).toString('base64url')}`

/** Returns the choice of this link. Refuses: a forged one, or one for a group that can no longer be turned off. */
export function choiceIn(secrets: Secrets, token: string): Choice {
  const [group, userId] = openIfOurs(secrets, Buffer.from(token, 'base64url'), PLACE)?.split(' ') ?? []
  const known = optionalMailGroups.find((one) => one === group)
  if (!known || !userId) throw unknownLink()
  return { userId, group: known }
}

const unknownLink = () => refusal('unsubscribe_link_unknown')

/** Returns whether it is on. Refuses: a deleted user. */
export async function getSubscription(db: Queryable, { userId, group }: Choice): Promise<MailSubscription> {
  const preferences = await findMailPreferences(db, userId)
  if (!preferences) throw unknownLink()
  return presentChoice(group, preferences[group] !== false)
}

/** Its title is worded when it is read, in the language of that moment. */
const presentChoice = (group: MailGroup, enabled: boolean): MailSubscription => ({
  group: group as MailSubscription['group'],
  get title() {
    return mailGroupWords[group].title
  },
  enabled,
})

/** Turns it off or on; repeating changes nothing. Refuses: a deleted user. */
export async function changeSubscription(
  tx: Transaction,
  { userId, group }: Choice,
  enabled: boolean,
): Promise<MailSubscription> {
  if ((await setMailPreference(tx, userId, group, enabled)) === 0) throw unknownLink()
  return presentChoice(group, enabled)
}

/** Returns the groups of mails available to this user by any of their roles, and which of them are on. */
export async function listMailPreferences(db: Queryable, userId: string): Promise<MailPreference[]> {
  const user = (await usersById(db, [userId])).get(userId)!
  const mine = new Set(user.roles.flatMap(({ type }) => readerOf[type] ?? []))
  const preferences = await findMailPreferences(db, userId)
  return Object.entries(mailGroups)
    .filter(([, { readers }]) => readers.some((reader) => mine.has(reader)))
    .map(([name]) => {
      const group = name as MailPreference['group']
      const optional = optionalMailGroups.includes(group)
      return {
        group,
        get title() {
          return mailGroupWords[group].title
        },
        get description() {
          return mailGroupWords[group].description
        },
        optional,
        enabled: !optional || preferences?.[group] !== false,
      }
    })
}

const readerOf: Partial<Record<Role['type'], MailReader>> = {
  admin: 'administrator',
  'account-owner': 'owner',
  'account-manager': 'manager',
  'account-finance': 'finance',
  'account-viewer': 'viewer',
  partner: 'partner',
  'partner-member': 'partner-member',
}
