import { formatNumber, formatPlural, type Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'

const partners = (count: number) =>
  formatPlural(count, `${formatNumber(count)} partner`, `${formatNumber(count)} partners`)

/** The words of announcements. */
export const announcementWords = {
  tab: 'Announcements',
  plural: 'announcements',
  resource: 'Announcement',
  thing: 'announcement',
  add: 'New announcement',
  announce: 'Announce',
  subject: 'Subject',
  message: 'Message',
  messageHelp: 'Use {firstName}. “# ” begins a heading, “- ” a list item; https addresses become links.',
  preview: 'Preview',
  edit: 'Edit',
  send: ({ count }: { count: number }) => `Send to ${partners(count)}`,
  sendIn: ({ count, languages }: { count: number; languages: Word }) => `Send to ${partners(count)}: ${languages}`,
  inLanguage: ({ count, language }: { count: number; language: Word }) => `${formatNumber(count)} in ${language}`,
  toAll: ({ count }: { count: number }) => `To all ${partners(count)} who are active.`,
  toList: ({ count }: { count: number }) => `To the ${partners(count)} of this list.`,
  toChosen: ({ count }: { count: number }) => `To the ${partners(count)} you chose.`,
  mails: ({ count }: { count: number }) =>
    formatPlural(count, `${formatNumber(count)} gets an email.`, `${formatNumber(count)} get an email.`),
  turnedOff: ({ count }: { count: number }) =>
    formatPlural(
      count,
      `${formatNumber(count)} doesn’t want these emails and only sees the note.`,
      `${formatNumber(count)} don’t want these emails and only see the note.`,
    ),
  activeOnly: 'Only active partners get it. It can’t be edited once it’s sent.',
  noneActive: 'None of these partners is active.',
  sentTo: ({ count }: { count: number }) => `Sent to ${partners(count)}`,
  none: 'Tell all your partners something at once, by email and on their dashboard.',
  open: ({ subject }: { subject: Word }) => `Read ${subject}`,
  sent: 'Sent',
  by: 'By',
  recipients: 'Recipients',
  mailed: 'Emailed',
  off: 'Unsubscribed',
  failed: 'Failed',
  to: 'To',
  deleteAction: 'Delete',
  deleteWhy: 'Partners no longer see it, and emails that haven’t been sent yet won’t be.',
}

/** The words of announcements for those who read them. */
export const newsWords = defineWords('news', 'partner', {
  heading: 'News',
  all: 'All news',
  none: 'News from the company appears here.',
  more: 'Show more news',
})
