import { signal } from '../events/happened.ts'

/** Scheduled backups have failed since then; sent once, whatever the number of tries. */
export const backupsFailing = signal<{ since: string }>('backups.failing')
