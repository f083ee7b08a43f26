import { formatNumber, formatPlural, type Word } from '#contract/format.ts'

/** The words of the administrator's system screen. */
export const systemWords = {
  version: ({ version }: { version: Word }) => `Version ${version}`,
  figures: 'At a glance',
  parked: 'Failed jobs',
  jobsWaiting: 'Jobs waiting',
  eventsWaiting: 'Events waiting',
  mailFailures: 'Failed emails',
  lastDay: 'last 24 hours',
  freeSpace: 'Free disk space',
  ofTotal: ({ total }: { total: Word }) => `of ${total}`,

  server: 'Server',
  environment: 'Environment',
  environments: { local: 'Local', staging: 'Staging', production: 'Production' },
  role: 'Process role',
  roles: { all: 'Web and worker', web: 'Web', worker: 'Worker' },
  started: 'Started',

  database: 'Database',
  postgres: 'PostgreSQL',
  place: 'Location',
  embedded: 'In the data folder',
  external: 'Set by DATABASE_URL',
  size: 'Size',
  connections: 'Connections',
  usedOf: ({ used, max }: { used: Word; max: Word }) => `${used} of ${max}`,
  databaseRole: 'Serves as',
  strongRole: ({ role }: { role: Word }) => `${role}, which can disable the protection of booked amounts`,
  migration: 'Last migration',
  replica: 'Replica',
  behindBy: ({ time }: { time: Word }) => `${time} behind`,
  replicaStates: {
    follows: 'Following',
    behind: 'Behind',
    elsewhere: 'Following another server',
    promoted: 'No longer a standby',
    foreign: 'Another database',
    away: 'Not responding',
  },

  mail: 'Mail',
  sending: 'Sending',
  throughServer: ({ host, port }: { host: Word; port: Word }) => `${host}:${port}`,
  outbox: 'Saved in the outbox, not sent',
  lastSent: 'Last sent',
  lastKept: 'Last saved',

  storage: 'Storage',
  disk: 'Disk',
  free: 'Free',
  databaseBytes: 'Database',
  outboxBytes: 'Outbox',
  moreThan: ({ size }: { size: Word }) => `More than ${size}`,

  backups: 'Backups',
  schedule: 'Schedule',
  noSchedule: 'None: set BACKUP_DIR',
  everyHours: ({ count }: { count: number }) => formatPlural(count, 'Every hour', `Every ${formatNumber(count)} hours`),
  newestBackup: 'Newest',
  keptBackups: 'Kept',
  backUpNow: 'Back up now',
  backUpNowAsked: 'The backup starts in a few seconds',
  backupRunning: 'Running now',
  backupRunningWhy: 'A backup is already being made.',
  backupFolderMissing: 'Set BACKUP_DIR to a folder and restart the server first. The schedule links to the steps.',

  queues: 'Queues',
  queue: 'Queue',
  waiting: 'Waiting',
  active: 'Active',
  failed: 'Failed',
  oldest: 'Oldest waiting',
  notParked: ({ names }: { names: Word }) =>
    `Failed jobs in “${names}” aren’t listed below: they run again at their next scheduled time. The server log has the reason.`,
  queueNames: {
    mail: 'Emails',
    'link-request': 'Sign-in links',
    'pay-out': 'Payouts',
    'read-back-payouts': 'Payout status checks',
    'provider-event': 'Payment provider events',
    'past-sales': 'Past sales',
    reconcile: 'Nightly reconciliation',
    'promotion-code': 'Promotion codes at providers',
    'incoming-delivery': 'Incoming webhooks',
    import: 'Imports',
    'bulk-action': 'Bulk actions (old queue)',
    'bulk-actions': 'Bulk actions',
    erasure: 'Erasures',
    application: 'Applications',
    rehearsal: 'Rehearsals',
    'waiting-sales': 'Waiting sales',
    clock: 'Scheduled tasks',
  },

  plural: 'failed jobs',
  what: 'What',
  kinds: { event: 'Event', job: 'Job' },
  since: 'Since',
  kept: 'Deleted on',
  noneParked: 'Events and jobs that fail every attempt appear here until you retry them.',
  retry: 'Retry',
  retryThis: ({ name }: { name: Word }) => `Retry ${name}`,
  retryAll: 'Retry all failed jobs',
  retried: ({ count }: { count: number }) =>
    formatPlural(
      count,
      `${formatNumber(count)} item will be tried again`,
      `${formatNumber(count)} items will be tried again`,
    ),

  trouble: {
    parked: ({ count }: { count: number }) =>
      formatPlural(
        count,
        `${formatNumber(count)} item failed every attempt. Fix the cause shown below, then retry it.`,
        `${formatNumber(count)} items failed every attempt. Fix the causes shown below, then retry them.`,
      ),
    late: ({ name, time }: { name: Word; time: Word }) =>
      `${name} has been waiting for ${time}. Check that a process with PROCESS_ROLE all or worker is running.`,
    mail: ({ count }: { count: number }) =>
      formatPlural(
        count,
        `${formatNumber(count)} email failed in the last 24 hours. Check the mail log for the reason.`,
        `${formatNumber(count)} emails failed in the last 24 hours. Check the mail log for the reasons.`,
      ),
    mailLog: 'Open mail log',
    disk: ({ free, total }: { free: Word; total: Word }) =>
      `Only ${free} of ${total} is free on the data folder’s disk. Free up space or enlarge the disk.`,
    backups: ({ time }: { time: Word }) =>
      `The newest backup was written ${time}. Check the server log for the reason, and check that BACKUP_DIR has room.`,
    failingBackups: ({ time }: { time: Word }) =>
      `The last backup failed; the first failure was ${time}. Check the server log for the reason, check that BACKUP_DIR has room, then back up now.`,
    noBackup:
      'No backup has been written yet. The first one is due within an hour. If it doesn’t appear, check the server log.',
    replica: {
      behind:
        'The replica is behind, so everything is read from the primary. Check that it’s still receiving and replaying: pg_stat_replication on the primary shows its progress.',
      elsewhere:
        'The replica follows a different server than the one in DATABASE_URL, so everything is read from the primary. Make it follow this one.',
      promoted:
        'DATABASE_REPLICA_URL points to a server that isn’t a standby, so everything is read from the primary. Make it a standby again, or remove the variable.',
      foreign:
        'DATABASE_REPLICA_URL points to another database, so everything is read from the primary. Correct or remove the variable.',
      away: 'The replica isn’t responding, so everything is read from the primary. Start it, or correct DATABASE_REPLICA_URL.',
    },
    connections: ({ used, max }: { used: Word; max: Word }) =>
      `${used} of ${max} database connections are in use. Raise max_connections, or stop other programs that use this database server.`,
  },
}
