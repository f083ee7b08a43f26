import { defineSignal } from '../events/emit-event.ts'

/** Scheduled backups have failed since then; sent once for any number of attempts. */
export const backupsFailing = defineSignal<{ since: string }>('backups.failing')
