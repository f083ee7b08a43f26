import { signal } from '../events/happened.ts'

/** Scheduled backups have failed since then; sent once for any number of attempts. */
export const backupsFailing = signal<{ since: string }>('backups.failing')
