import { signal } from '../events/happened.ts'

/** Scheduled backups fail since then; sent once, however often they are tried. */
export const backupsFailing = signal<{ since: string }>('backups.failing')
