import { existsSync } from 'node:fs'
import type { Define } from './command.ts'

/** Absent from a server's package. */
const hasDemo = existsSync(new URL('../../demo/run.ts', import.meta.url))

/** Every command by name, in the order of the help; only the requested one is loaded. */
export const commands: Record<string, () => Promise<{ define: Define }>> = {
  start: () => import('./start.ts'),
  migrate: () => import('./migrate.ts'),
  doctor: () => import('./doctor.ts'),
  admin: () => import('./admin.ts'),
  user: () => import('./user.ts'),
  erase: () => import('./erase.ts'),
  account: () => import('./account.ts'),
  rekey: () => import('./rekey.ts'),
  spread: () => import('./spread.ts'),
  'verify-ledger': () => import('./verify-ledger.ts'),
  backup: () => import('./backup.ts'),
  restore: () => import('./restore.ts'),
  export: () => import('./export.ts'),
  import: () => import('./import.ts'),
  languages: () => import('./languages.ts'),
  openapi: () => import('./openapi.ts'),
  ...(hasDemo && { demo: () => import('./demo.ts') }),
}
