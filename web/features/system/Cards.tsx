import type { System } from '#contract/system.ts'
import { formatAgo, formatBytes, formatCount, formatDuration, formatShortDateTime, timeZoneHere } from '../../format.ts'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { t } from '../../words.ts'
import styles from './System.module.css'

/** The parts of the installation, one card each. */
export const Cards = ({ system }: { system: System }) => (
  <div className={styles.cards}>
    <Card heading={t('system.server')} facts={serverFacts(system)} />
    <Card heading={t('system.database')} facts={databaseFacts(system)} />
    <Card heading={t('system.mail')} facts={mailFacts(system)} />
    <Card heading={t('system.storage')} facts={storageFacts(system)} />
    <Card heading={t('system.backups')} facts={backupFacts(system)} />
  </div>
)

const Card = ({ heading, facts }: { heading: string; facts: Fact[] }) => (
  <Panel heading={heading}>
    <Facts label={heading} facts={facts} />
  </Panel>
)

const serverFacts = ({ environment, processRole, startedAt }: System): Fact[] => [
  { label: t('system.environment'), value: t(`system.environments.${environment}`) },
  { label: t('system.role'), value: t(`system.roles.${processRole}`) },
  { label: t('system.started'), value: formatShortDateTime(startedAt, timeZoneHere()) },
]

const databaseFacts = ({ database }: System): Fact[] => [
  { label: t('system.postgres'), value: database.version },
  { label: t('system.place'), value: t(database.embedded ? 'system.embedded' : 'system.external') },
  { label: t('system.size'), value: formatBytes(database.bytes) },
  {
    label: t('system.connections'),
    value: t('system.usedOf', {
      used: formatCount(database.connections),
      max: formatCount(database.maxConnections),
    }),
  },
  { label: t('system.migration'), value: <code>{database.migration.name}</code> },
  ...replicaFacts(database),
]

function replicaFacts({ replica }: System['database']): Fact[] {
  if (!replica) return []
  const { is, lagSeconds } = replica
  const value =
    is === 'behind' && lagSeconds !== null
      ? t('system.behindBy', { time: formatDuration(lagSeconds) })
      : t(`system.replicaStates.${is}`)
  return [{ label: t('system.replica'), value, warns: is !== 'follows' }]
}

const mailFacts = ({ mail: { server, lastSentAt, failures } }: System): Fact[] => [
  { label: t('system.sending'), value: server ? t('system.throughServer', server) : t('system.outbox') },
  {
    label: t(server ? 'system.lastSent' : 'system.lastKept'),
    value: lastSentAt ? formatAgo(lastSentAt, timeZoneHere()) : t('absent'),
  },
  { label: t('system.mailFailures'), value: formatCount(failures), warns: failures > 0 },
]

const storageFacts = ({
  storage: { freeBytes, totalBytes, databaseBytes, outboxBytes, outboxHasMore },
}: System): Fact[] => [
  { label: t('system.disk'), value: formatBytes(totalBytes) },
  { label: t('system.free'), value: formatBytes(freeBytes) },
  ...(databaseBytes === null ? [] : [{ label: t('system.databaseBytes'), value: formatBytes(databaseBytes) }]),
  {
    label: t('system.outboxBytes'),
    value: outboxHasMore ? t('system.moreThan', { size: formatBytes(outboxBytes) }) : formatBytes(outboxBytes),
  },
]

function backupFacts({ backups }: System): Fact[] {
  if (!backups) return [{ label: t('system.schedule'), value: t('system.noSchedule') }]
  const { everyHours, count, newestAt, newestBytes, isOverdue } = backups
  const newest = newestAt ? formatAgo(newestAt, timeZoneHere()) : t('absent')
  return [
    { label: t('system.schedule'), value: t('system.everyHours', { count: everyHours }) },
    { label: t('system.newestBackup'), value: newest, warns: isOverdue },
    ...(newestBytes === null ? [] : [{ label: t('system.size'), value: formatBytes(newestBytes) }]),
    { label: t('system.keptBackups'), value: formatCount(count) },
  ]
}
