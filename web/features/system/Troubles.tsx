import { formatNumber } from '#contract/format.ts'
import { formatAgo, formatBytes, formatDuration, timeZoneHere } from '../../format.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Message } from '../../ui/Message.tsx'
import { systemWords } from '../../words/system.ts'
import { queueName } from './names.ts'
import type { SystemTrouble } from './trouble.ts'

/** One line per trouble, with its remedy. */
export const Troubles = ({ troubles }: { troubles: SystemTrouble[] }) =>
  troubles.map((trouble) => (
    <Message
      key={trouble.kind}
      kind="warning"
      action={
        trouble.kind === 'mail' && (
          <LinkButton small to="/admin/mail">
            {systemWords.trouble.mailLog}
          </LinkButton>
        )
      }
    >
      {sentenceOf(trouble)}
    </Message>
  ))

function sentenceOf(trouble: SystemTrouble) {
  switch (trouble.kind) {
    case 'late':
      return systemWords.trouble.late({ name: queueName(trouble.queue), time: formatDuration(trouble.seconds) })
    case 'disk':
      return systemWords.trouble.disk({ free: formatBytes(trouble.free), total: formatBytes(trouble.total) })
    case 'connections':
      return systemWords.trouble.connections({ used: formatNumber(trouble.used), max: formatNumber(trouble.max) })
    case 'replica':
      return systemWords.trouble.replica[trouble.state]
    case 'backups':
      return trouble.since
        ? systemWords.trouble.backups({ time: formatAgo(trouble.since, timeZoneHere()) })
        : systemWords.trouble.noBackup
    default:
      return systemWords.trouble[trouble.kind]({ count: trouble.count })
  }
}
