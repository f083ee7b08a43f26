import type { ExamplesOf } from '#contract/examples/example.ts'
import { ids, onlyPage, owner } from '#contract/examples/objects.ts'
import type * as room from './contract.ts'

const subject = 'Twice the commission in December'
const body = 'Hello {firstName},\n\nfor sales in December you earn twice as much.\n\n- Copy the new banner'

const announcement: room.Announcement = {
  id: ids.announcement,
  accountId: ids.account,
  subject,
  body,
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
    refused: ['unknown_placeholder', 'announcements_today', 'no_recipients'],
    body: { subject, body },
    reply: { ...announcement, mailed: 0, turnedOff: 0, failed: 0 },
  },
  deleteAnnouncement: {},
  listPartnerAnnouncements: {
    reply: onlyPage({
      id: ids.announcement,
      subject,
      body: body.replace('{firstName}', 'Jane'),
      readAt: null,
      createdAt: announcement.createdAt,
    }),
  },
  readAnnouncements: { body: { upTo: ids.announcement } },
}

export const subjectIds = { announcement: ids.announcement }
