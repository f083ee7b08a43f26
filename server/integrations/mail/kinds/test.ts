import { defineMail } from '../mail.ts'
import { findUser } from '../queries.ts'

export const test = defineMail({
  group: 'security',
  title: 'Test email',
  description: 'An administrator tests the mail server.',
  async read({ db, config }, { email, sentBy, at }: { id: string; email: string; sentBy: string; at: string }) {
    const user = await findUser(db, sentBy)
    return user && { to: email, data: { sentBy: user.to, at, url: `${config.appUrl}/admin/mail` } }
  },
  triedOnce: true,
  write: ({ sentBy, at, url }) => ({
    account: null,
    subject: 'Test email from Tributary',
    preview: 'This server can send email.',
    parts: [
      'This is a test. If you can read it, this server can send email.',
      {
        facts: [
          { label: 'Sent by', value: sentBy },
          { label: 'Sent at', value: at },
        ],
      },
    ],
    button: { label: 'Open email settings', url },
    because: 'You get this email because an administrator entered this address.',
  }),
  sample: {
    sentBy: 'root@install.example',
    at: 'Nov 20, 2026, 10:00 UTC',
    url: 'https://partners.example.com/admin/mail',
  },
})
