import type { NewAnnouncement } from '#features/announcements/contract.ts'
import { readNotes, sendAnnouncement } from '#features/announcements/server/announcements.ts'
import { userAuthor } from '../server/platform/author.ts'
import { type Harbor, type Story, toMoment } from './story.ts'

/** Days before today at which the announcements were sent, and the first was read. */
const DAYS = { first: 17, read: 15, second: 1 }

const first: NewAnnouncement = {
  subject: 'New banners to share',
  body: [
    'Hello {firstName},',
    'we have new material for you, with your own link already in it. You find it on your dashboard, at “All assets”.',
    '- Two banners\n- A text for a post\n- A box for your blog',
  ].join('\n\n'),
}

const second: NewAnnouncement = {
  subject: 'Statistics without cookies, explained',
  body: [
    'Hello {firstName},',
    'many of your readers ask how we count without cookies. We wrote it down in plain words:',
    'https://harbor-analytics.example/without-cookies',
    '# What you may say',
    '- No consent banner is needed for our statistics\n- Nobody is followed from one site to another',
  ].join('\n\n'),
}

/** Plans two announcements to all partners: one that they have read, and a new one. */
export function planAnnouncements(story: Story, { id: accountId, account, owner }: Harbor) {
  const { course } = story
  course.at(toMoment(story, DAYS.first), (tx) => sendAnnouncement(tx, userAuthor(owner), account, first))
  course.at(toMoment(story, DAYS.read), async (tx) => {
    const readers = await tx.many<{ partnerId: string; announcementId: string }>`
      select partner_id, announcement_id from announcement_readers where account_id = ${accountId}`
    for (const { partnerId, announcementId } of readers) await readNotes(tx, accountId, partnerId, announcementId)
  })
  course.at(toMoment(story, DAYS.second), (tx) => sendAnnouncement(tx, userAuthor(owner), account, second))
}
