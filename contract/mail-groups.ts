import { z } from 'zod'
import { type TeamRole, teamRoles } from './endpoint.ts'

/** A mail's kind of reader. An administrator runs the install; the others belong to an account or a partner of one. */
export type MailReader = 'administrator' | TeamRole | 'partner' | 'partner-member'

type Group = {
  title: string
  description: string
  readers: readonly MailReader[]
  /** About access or requested by the reader: it cannot be turned off. */
  always?: true
}

const everyone = ['administrator', ...teamRoles, 'partner', 'partner-member'] as const

/** Groups of mails a person can turn off as a whole: `preferences.mail` is `false` for each that is off. */
export const mailGroups = {
  security: {
    title: 'Sign-in and security',
    description: 'Password changes, reset links, ended sessions, new keys and changed payout details.',
    readers: everyone,
    always: true,
  },
  invitations: {
    title: 'Invitations',
    description: 'Invitations sent to you.',
    readers: everyone,
    always: true,
  },
  applications: {
    title: 'Applications',
    description: 'People who apply to become a partner.',
    readers: ['owner', 'manager'],
  },
  agreement: {
    title: 'Partner agreement',
    description: 'New versions of the partner agreement.',
    readers: ['partner'],
    always: true,
  },
  news: {
    title: 'News',
    description: 'Announcements of the program to its partners.',
    readers: ['partner'],
  },
  leads: {
    title: 'Leads',
    description: 'New leads, leads whose protection ends soon, and claims of missing sales.',
    readers: ['owner', 'manager', 'partner'],
  },
  sales: {
    title: 'Sales and refunds',
    description: 'Commissions you earn, those reversed after a refund, goals you reach, and changes of what you earn.',
    readers: ['partner'],
  },
  payouts: {
    title: 'Payouts',
    description: 'Payouts that are approved, sent, waiting or failed.',
    readers: ['owner', 'finance', 'partner'],
  },
  reminders: {
    title: 'Payout reminders',
    description: 'Reminders of what you still need to do to be paid.',
    readers: ['partner'],
  },
  integrations: {
    title: 'Integrations',
    description: 'Payment providers, webhooks and domains that need attention.',
    readers: ['owner', 'manager'],
  },
  install: {
    title: 'This install',
    description: 'Scheduled backups that fail.',
    readers: ['administrator'],
  },
  summaries: {
    title: 'Summaries',
    description: 'The weekly summary of a program, the reports you saved, and the monthly statement of a partner.',
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
