import { formatAgo, formatBytes, formatCount, formatDuration, timeZoneHere } from '../../format.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Message } from '../../ui/Message.tsx'
import { t } from '../../words.ts'
import { queueName } from './names.ts'
import type { SystemTrouble } from './trouble.ts'

/** One line per trouble, with its remedy. */
export const Troubles = ({ troubles }: { troubles: SystemTrouble[] }) =>
  troubles.map((trouble) => (
    <Message
      key={trouble.is}
      kind="warning"
      action={
        trouble.is === 'mail' && (
          <LinkButton small to="/admin/mail">
            {t('system.trouble.mailLog')}
          </LinkButton>
        )
      }
    >
      {sentenceOf(trouble)}
    </Message>
  ))

function sentenceOf(trouble: SystemTrouble) {
  switch (trouble.is) {
    case 'late':
      return t('system.trouble.late', { name: queueName(trouble.queue), time: formatDuration(trouble.seconds) })
    case 'disk':
      return t('system.trouble.disk', { free: formatBytes(trouble.free), total: formatBytes(trouble.total) })
    case 'connections':
      return t('system.trouble.connections', { used: formatCount(trouble.used), max: formatCount(trouble.max) })
    case 'replica':
      return t(`system.trouble.replica.${trouble.state}`)
    case 'backups':
      return trouble.since
        ? t('system.trouble.backups', { time: formatAgo(trouble.since, timeZoneHere()) })
        : t('system.trouble.noBackup')
    default:
      return t(`system.trouble.${trouble.is}`, { count: trouble.count })
  }
}
