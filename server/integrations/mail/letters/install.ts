import { writer } from '../letter.ts'

/** `newestAt`: time of the newest backup; null if none is found. */
export const backupFailed = writer<{ failedAt: string; newestAt: string | null; url: string }>(
  {
    failedAt: 'Nov 20, 2026 at 2:00:04 AM UTC',
    newestAt: 'Nov 19, 2026 at 2:00:03 AM UTC',
    url: 'https://partners.example.com/admin/system',
  },
  ({ failedAt, newestAt, url }) => ({
    account: null,
    subject: 'A scheduled backup failed',
    preview: 'Earlier backups are as they were.',
    parts: [
      'A scheduled backup could not be written. Earlier backups are as they were, and it is tried again every hour.',
      {
        facts: [
          { label: 'Failed at', value: failedAt },
          { label: 'Newest backup', value: newestAt ?? 'None was found' },
        ],
      },
      'The server’s log says why. You get no other email before a backup succeeds; the System page shows the newest one.',
    ],
    button: { label: 'Open the System page', url },
    because: 'You get this email because you are an administrator of this install.',
  }),
)
