import { bothNames } from '../former-names.ts'
import type * as room from '../mail.ts'
import type { ExamplesOf } from './example.ts'
import { APP, ids, onlyPage, owner } from './objects.ts'

const mail: room.LoggedMail = {
  id: ids.mail,
  kind: 'password-reset',
  title: 'Password reset',
  email: owner.email,
  subject: 'Reset your password',
  state: 'sent',
  reason: null,
  ...bothNames('attempts', 1),
  lastTriedAt: '2026-07-27T21:01:11.020Z',
  createdAt: '2026-07-27T21:01:10.511Z',
}

const preview: room.MailPreview = {
  kind: 'sale-credited',
  title: 'Sale credited',
  description: 'A partner earned a commission.',
  subject: 'You earned $79.84 from Acme',
  page: `${APP}/mail/previews/Zm9yIGEgZGF5`,
}

const subscription: room.MailSubscription = { group: 'sales', title: 'Sales and refunds', enabled: true }

export const mails: ExamplesOf<typeof room> = {
  getMailStatus: {
    reply: { server: { host: 'smtp.acme.example', port: 587 }, from: 'no-reply@partners.acme.example' },
  },
  listLoggedMails: { query: { state: 'sent,refused' }, reply: onlyPage(mail) },
  getLoggedMail: { params: { id: ids.mail }, reply: { ...mail, text: null, file: null } },
  listMailPreviews: { reply: { items: [preview] } },
  getMailPreview: {
    params: { kind: preview.kind },
    reply: { ...preview, text: 'Jane,\n\nyou earned $79.84 from a sale to Brightline Dental.\n' },
  },
  sendTestMail: {
    body: { email: owner.email },
    reply: {
      ...mail,
      kind: 'test',
      title: 'Test email',
      subject: null,
      state: 'waiting',
      ...bothNames('attempts', 0),
      lastTriedAt: null,
    },
  },
  listMailChoices: {
    reply: {
      items: [
        {
          group: 'sales',
          title: 'Sales and refunds',
          description: 'Commissions you earn, and those reversed after a refund.',
          optional: true,
          enabled: true,
        },
      ],
    },
  },
  getMailSubscription: { refused: ['unsubscribe_link_unknown'], reply: subscription },
  changeMailSubscription: {
    refused: ['unsubscribe_link_unknown'],
    body: { enabled: false },
    reply: { ...subscription, enabled: false },
  },
}
