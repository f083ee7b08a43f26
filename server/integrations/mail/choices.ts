import type { Role } from '#contract/auth.ts'
import { type MailChoice, type MailReader, mailGroups, optionalMailGroups } from '#contract/mail.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { findMailPreferences } from '../../program/auth/me.ts'
import { usersById } from '../../program/auth/users.ts'

/** Returns the groups of mails available to this user by any of their roles, and which of them are on. */
export async function choicesOf(db: Queryable, userId: string): Promise<MailChoice[]> {
  const user = (await usersById(db, [userId])).get(userId)!
  const mine = new Set(user.roles.map(({ type }) => readerOf[type]))
  const preferences = await findMailPreferences(db, userId)
  return Object.entries(mailGroups)
    .filter(([, { readers }]) => readers.some((reader) => mine.has(reader)))
    .map(([name, { title, description }]) => {
      const group = name as MailChoice['group']
      const optional = optionalMailGroups.includes(group)
      return { group, title, description, optional, enabled: !optional || preferences?.[group] !== false }
    })
}

const readerOf: Record<Role['type'], MailReader> = {
  admin: 'administrator',
  'account-owner': 'owner',
  partner: 'partner',
}
