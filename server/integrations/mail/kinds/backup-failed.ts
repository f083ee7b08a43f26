import { backupHealth } from '../../../platform/backups/own-backups.ts'
import { backupsFailing } from '../../../platform/backups/signals.ts'
import { instantInWords } from '../../../platform/format-values.ts'
import { defineMail, onSignal } from '../mail.ts'
import { findAdministrators, findUser } from '../queries.ts'

export const backupFailed = defineMail({
  group: 'install',
  title: 'Backup failed',
  description: 'A scheduled backup could not be written.',
  when: onSignal(backupsFailing, async ({ since }, { id }, tx) => {
    const administrators = await findAdministrators(tx)
    return administrators.map((user) => ({ id, userId: user.id, since }))
  }),
  name: ({ id, userId }) => `backup-failed-${id}-${userId}`,
  async read({ db, config }, { userId, since }) {
    const user = await findUser(db, userId)
    const newest = (await backupHealth(db, config, db.now))?.newestAt
    // a backup succeeded meanwhile
    if (!user || (newest && newest > since)) return null
    const inWords = (at: string) => instantInWords(new Date(at))
    const data = {
      failedAt: inWords(since),
      newestAt: newest ? inWords(newest) : null,
      url: `${config.appUrl}/admin/system`,
    }
    return { to: user.to, userId, data }
  },
  write: ({ failedAt, newestAt, url }) => ({
    account: null,
    subject: 'A scheduled backup failed',
    preview: 'Earlier backups are unaffected.',
    parts: [
      'A scheduled backup could not be written. Earlier backups are unaffected. It is retried every hour.',
      {
        facts: [
          { label: 'Failed at', value: failedAt },
          { label: 'Newest backup', value: newestAt ?? 'None was found' },
        ],
      },
      'The server’s log has the reason. You won’t get another email until a backup succeeds. The System page shows the newest backup.',
    ],
    button: { label: 'Open the System page', url },
    because: 'You get this email because you are an administrator of this server.',
  }),
  sample: {
    failedAt: 'Nov 20, 2026 at 2:00:04 AM UTC',
    newestAt: 'Nov 19, 2026 at 2:00:03 AM UTC',
    url: 'https://partners.example.com/admin/system',
  },
})
