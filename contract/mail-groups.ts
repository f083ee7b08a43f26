import { z } from 'zod'
import { type TeamRole, teamRoles } from './endpoint.ts'

/** A mail's kind of reader. An administrator runs the install; the others belong to an account or a partner of one. */
export type MailReader = 'administrator' | TeamRole | 'partner' | 'partner-member'

type Group = {
  readers: readonly MailReader[]
  /** About access or requested by the reader: it cannot be turned off. */
  always?: true
}

const everyone = ['administrator', ...teamRoles, 'partner', 'partner-member'] as const

/** Groups of mails a person can turn off as a whole: `preferences.mail` is `false` for each that is off. */
export const mailGroups = {
  security: {
    readers: everyone,
    always: true,
  },
  invitations: {
    readers: everyone,
    always: true,
  },
  applications: {
    readers: ['owner', 'manager'],
  },
  agreement: {
    readers: ['partner'],
    always: true,
  },
  news: {
    readers: ['partner'],
  },
  leads: {
    readers: ['owner', 'manager', 'partner'],
  },
  sales: {
    readers: ['partner'],
  },
  payouts: {
    readers: ['owner', 'finance', 'partner'],
  },
  reminders: {
    readers: ['partner'],
  },
  integrations: {
    readers: ['owner', 'manager'],
  },
  install: {
    readers: ['administrator'],
  },
  summaries: {
    readers: ['owner', 'manager', 'finance', 'partner'],
  },
} as const satisfies Record<string, Group>

export type MailGroup = keyof typeof mailGroups

export const mailGroupNames = Object.keys(mailGroups) as MailGroup[]
/** Groups a person can turn off. */
export const optionalMailGroups = mailGroupNames.filter((group) => !('always' in mailGroups[group]))

/** `preferences.mail`: the groups of mails a user gets. Unnamed groups are on. */
export const MailPreferences = z.strictObject(
  Object.fromEntries(optionalMailGroups.map((group) => [group, z.boolean().optional()])),
)
export type MailPreferences = { [group in MailGroup]?: boolean }
