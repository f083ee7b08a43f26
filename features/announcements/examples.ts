import type { ExamplesOf } from '#contract/examples/example.ts'
import { ids, onlyPage, owner } from '#contract/examples/objects.ts'
import type * as room from './contract.ts'

const subject = 'Twice the commission in December'
const body = 'Hello {firstName},\n\nfor sales in December you earn twice as much.\n\n- Copy the new banner'

const german = {
  subject: 'Doppelte Provision im Dezember',
  body: 'Hallo {firstName},\n\nfür Verkäufe im Dezember verdienen Sie doppelt so viel.',
}

const announcement: room.Announcement = {
  id: ids.announcement,
  accountId: ids.account,
  subject,
  body,
  language: 'en',
  translations: { de: german },
  sentBy: `${owner.firstName} ${owner.lastName}`,
  recipients: 48,
  mailed: 45,
  turnedOff: 2,
  failed: 1,
  createdAt: '2026-02-11T09:00:00.000Z',
}

export const calls: ExamplesOf<typeof room> = {
  listAnnouncements: { reply: onlyPage(announcement) },
  sendAnnouncement: {
    refused: ['unknown_placeholder', 'announcements_today', 'language_of_texts', 'no_recipients'],
    body: { subject, body, translations: { de: german } },
    reply: { ...announcement, mailed: 0, turnedOff: 0, failed: 0 },
  },
  deleteAnnouncement: {},
  listPartnerAnnouncements: {
    reply: onlyPage({
      id: ids.announcement,
      subject,
      body: body.replace('{firstName}', 'Jane'),
      language: 'en',
      readAt: null,
      createdAt: announcement.createdAt,
    }),
  },
  readAnnouncements: { body: { upTo: ids.announcement } },
}

export const subjectIds = { announcement: ids.announcement }
