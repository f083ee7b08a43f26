import { defineWords, withTeamWords } from './words.ts'

const partnersGroups = defineWords('mail-groups', 'server', {
  security: {
    title: 'Sign-in and security',
    description: 'Password changes, reset links, ended sessions, new keys and changed payout details.',
  },
  invitations: {
    title: 'Invitations',
    description: 'Invitations sent to you.',
  },
  agreement: {
    title: 'Partner agreement',
    description: 'New versions of the partner agreement.',
  },
  news: {
    title: 'News',
    description: 'Announcements of the program to its partners.',
  },
  leads: {
    title: 'Leads',
    description: 'New leads, leads whose protection ends soon, and claims of missing sales.',
  },
  sales: {
    title: 'Sales and refunds',
    description: 'Commissions you earn, those reversed after a refund, goals you reach, and changes of what you earn.',
  },
  payouts: {
    title: 'Payouts',
    description: 'Payouts that are approved, sent, waiting or failed.',
  },
  reminders: {
    title: 'Payout reminders',
    description: 'Reminders of what you still need to do to be paid.',
  },
  summaries: {
    title: 'Summaries',
    description: 'The weekly summary of a program, the reports you saved, and the monthly statement of a partner.',
  },
})

/** The name of each group of mails, and what is in it. */
export const mailGroupWords = withTeamWords(partnersGroups, {
  applications: {
    title: 'Applications',
    description: 'People who apply to become a partner.',
  },
  integrations: {
    title: 'Integrations',
    description: 'Payment providers, webhooks and domains that need attention.',
  },
  install: {
    title: 'This install',
    description: 'Scheduled backups that fail.',
  },
})
