import type { ReactNode } from 'react'
import { formatNumber } from '#contract/format.ts'
import { createBackup, type System } from '#contract/system.ts'
import { formatAgo, formatBytes, formatDuration, formatShortDateTime, timeZoneHere } from '../../format.ts'
import { DOCS } from '../../shared/docs.ts'
import { CallButton } from '../../ui/CallButton.tsx'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { basicWords } from '../../words/basic.ts'
import { systemWords } from '../../words/system.ts'

/** The parts of the installation, one card each. */
export const Cards = ({ system }: { system: System }) => (
  <div className="grid">
    <Card heading={systemWords.server} facts={serverFacts(system)} />
    <Card heading={systemWords.database} facts={databaseFacts(system)} />
    <Card heading={systemWords.mail} facts={mailFacts(system)} />
    <Card heading={systemWords.storage} facts={storageFacts(system)} />
    <Card heading={systemWords.backups} facts={backupFacts(system)} aside={<BackUpNow system={system} />} />
  </div>
)

type CardProps = { heading: string; facts: Fact[]; aside?: ReactNode }

const Card = ({ heading, facts, aside }: CardProps) => (
  <Panel heading={heading} aside={aside}>
    <Facts label={heading} facts={facts} />
  </Panel>
)

const BackUpNow = ({ system: { backups } }: { system: System }) => (
  <CallButton
    small
    cannot={!backups ? systemWords.backupFolderMissing : backups.isRunning && systemWords.backupRunningWhy}
    call={createBackup}
    input={{}}
    done={systemWords.backUpNowAsked}
  >
    {systemWords.backUpNow}
  </CallButton>
)

const serverFacts = ({ environment, processRole, startedAt }: System): Fact[] => [
  { label: systemWords.environment, value: systemWords.environments[environment] },
  { label: systemWords.role, value: systemWords.roles[processRole] },
  { label: systemWords.started, value: formatShortDateTime(startedAt, timeZoneHere()) },
]

const databaseFacts = ({ database }: System): Fact[] => [
  { label: systemWords.postgres, value: database.version },
  { label: systemWords.place, value: database.embedded ? systemWords.embedded : systemWords.external },
  { label: systemWords.size, value: formatBytes(database.bytes) },
  {
    label: systemWords.connections,
    value: systemWords.usedOf({
      used: formatNumber(database.connections),
      max: formatNumber(database.maxConnections),
    }),
  },
  {
    label: systemWords.databaseRole,
    value: database.role.changesRowsOnly ? (
      <code>{database.role.name}</code>
    ) : (
      systemWords.strongRole({ role: database.role.name })
    ),
    warns: !database.role.changesRowsOnly,
  },
  { label: systemWords.migration, value: <code>{database.migration.name}</code> },
  ...replicaFacts(database),
]

function replicaFacts({ replica }: System['database']): Fact[] {
  if (!replica) return []
  const { is, lagSeconds } = replica
  const value =
    is === 'behind' && lagSeconds !== null
      ? systemWords.behindBy({ time: formatDuration(lagSeconds) })
      : systemWords.replicaStates[is]
  return [{ label: systemWords.replica, value, warns: is !== 'follows' }]
}

const mailFacts = ({ mail: { server, lastSentAt, failures } }: System): Fact[] => [
  { label: systemWords.sending, value: server ? systemWords.throughServer(server) : systemWords.outbox },
  {
    label: server ? systemWords.lastSent : systemWords.lastKept,
    value: lastSentAt ? formatAgo(lastSentAt, timeZoneHere()) : basicWords.absent,
  },
  { label: systemWords.mailFailures, value: formatNumber(failures), warns: failures > 0 },
]

const storageFacts = ({
  storage: { freeBytes, totalBytes, databaseBytes, outboxBytes, outboxHasMore },
}: System): Fact[] => [
  { label: systemWords.disk, value: formatBytes(totalBytes) },
  { label: systemWords.free, value: formatBytes(freeBytes) },
  databaseBytes !== null && { label: systemWords.databaseBytes, value: formatBytes(databaseBytes) },
  {
    label: systemWords.outboxBytes,
    value: outboxHasMore ? systemWords.moreThan({ size: formatBytes(outboxBytes) }) : formatBytes(outboxBytes),
  },
]

function backupFacts({ backups }: System): Fact[] {
  if (!backups)
    return [{ label: systemWords.schedule, value: <a href={`${DOCS}/backups`}>{systemWords.noSchedule}</a> }]
  const { everyHours, count, newestAt, newestBytes, isOverdue, isRunning } = backups
  const newest = isRunning
    ? systemWords.backupRunning
    : newestAt
      ? formatAgo(newestAt, timeZoneHere())
      : basicWords.absent
  return [
    { label: systemWords.schedule, value: systemWords.everyHours({ count: everyHours }) },
    { label: systemWords.newestBackup, value: newest, warns: isOverdue && !isRunning },
    newestBytes !== null && { label: systemWords.size, value: formatBytes(newestBytes) },
    { label: systemWords.keptBackups, value: formatNumber(count) },
  ]
}
